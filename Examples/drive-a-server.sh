#!/usr/bin/env bash
# Starts a motion sensor, triggers it, injects a fault, checks both with aiohomekit, and reads a metric. Needs hap on the
# path and aiohomekit in python3.
set -euo pipefail
examples=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
state=$(mktemp --directory)
hap serve "$examples/../Accessories/motion-sensor.yaml" --advertise off --bind 127.0.0.1 --console off \
    --state "$state" --ready-file "$state/ready.json" >"$state/log" &
trap 'kill $!; wait $!; rm -r "$state"' EXIT
until [[ -s $state/ready.json ]]; do sleep 0.1; done
read_motion() { python3 "$examples/read-with-aiohomekit.py" "$state/ready.json" "$state/pairing.json" 22; }

[[ $(read_motion) == 0 ]]
hap simulate --state "$state" set Motion Detected to true
[[ $(read_motion) == 1 ]]
hap simulate --state "$state" fault status on Motion Detected
[[ $(read_motion) == "status -70402" ]]
hap simulate --state "$state" clear status
curl --silent --unix-socket "$state/serve.sock" http://localhost/metrics | grep '^hap_requests_total{'
echo "The motion, the fault and the requests were seen."
