"""The checks of the SDK for Python against the emulator.

Run by interop/run.sh, or: COSMOS_CONNECTION_STRING=... python checks.py [part of a name]
"""

import logging
import sys
import warnings

import runner
import resources  # noqa: F401: these modules add their checks
import throughput  # noqa: F401
import items  # noqa: F401
import keys  # noqa: F401
import writes  # noqa: F401
import queries  # noqa: F401
import ranking  # noqa: F401
import pages  # noqa: F401
import feeds  # noqa: F401
import moves  # noqa: F401
import regions  # noqa: F401
import refusals  # noqa: F401
import asynchronous  # noqa: F401
import printed  # noqa: F401

# The SDK warns of each split that it meets.
logging.getLogger("azure.cosmos").setLevel(logging.CRITICAL)
# It does not verify the certificate of a server at 127.0.0.1 or localhost.
warnings.filterwarnings("ignore", message="Unverified HTTPS request")

if __name__ == "__main__":
    sys.exit(0 if runner.run_all(sys.argv[1] if len(sys.argv) > 1 else "") else 1)
