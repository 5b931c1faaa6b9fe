// Starts the table server of Azurite, prints its port, and ends with standard input.
const net = require("net");
const listen = net.Server.prototype.listen;
net.Server.prototype.listen = function (...args) {
  this.once("listening", () => console.log("listening on " + this.address().port));
  return listen.apply(this, args);
};
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
require("azurite/dist/src/table/main.js");
