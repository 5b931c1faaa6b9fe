// Package browsertest tests the explorer's page in headless Chromium. It is a separate module,
// so that users of pkgen do not download a browser driver.
package browsertest
