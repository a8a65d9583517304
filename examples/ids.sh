#!/usr/bin/env bash
# The calls for ids. Usage: ids.sh [URL]
set -euo pipefail
url=${1:-http://localhost:8080}

show() {
  echo "\$ curl $*"
  curl -sS "$@"
  echo
}

show -XPOST "$url/ids"
show -XPOST -d '{"count":3}' "$url/ids/batch"
show -XPOST -d '{"count":10000}' "$url/ids/batch?form=runs"
show "$url/api/ids?n=2"
id=$(curl -sS -XPOST "$url/ids" | tr -dc 0-9)
show "$url/api/ids/$id"
show "$url/api/layout"
show "$url/readyz"
show "$url/api/ids?n=1001"
