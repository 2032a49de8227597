#!/usr/bin/env bash
# dev/bundle.sh [--check]: makes generated/page, the scripts that builds embed into pages, of toolbox/pt2/page and
# generator/export/graph_picture.js. With --check, changes nothing, and fails if they are stale, or if JavaScript is not formatted by
# prettier or does not have the types of its annotations. Needs npm, and for --check, uses or builds SCHEMAGEN_BINARY.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/dev/install.sh"
case "$# ${1:-}" in "0 " | "1 --check") ;; *) usage ;; esac

find_npm_tools
cd "$root"
out=generated/page
[ $# -eq 0 ] || out=$(mktemp -d)
bin=build/model_tools/node_modules/.bin
"$bin/esbuild" page=toolbox/pt2/page/start.js graph_picture=generator/export/graph_picture.js --bundle --minify --format=iife \
  --tsconfig=dev/tsconfig.json --log-level=warning --outdir="$out"
# The module that dev/npm.sh and dev/viewer_page.py bundle; CMake embeds dagre into other pages by itself.
mkdir -p build/javascript
for share in /usr/share "$root/build/packages/usr/share"; do
  dagre=$share/nodejs/dagre/dist/dagre.min.js
  [ ! -f "$dagre" ] || echo "export { default as dagre } from \"$dagre\";" >build/javascript/dagre.js
done
[ $# -eq 0 ] && exit
diff -r "$out" generated/page >&2 || { echo "bundle.sh: generated/page is stale: run dev/bundle.sh" >&2 && exit 1; }
rm -r "$out"
git ls-files -z -co --exclude-standard -- '*.js' '*.mjs' '*.ts' ':!generated' ':!tests/golden' |
  xargs -0 "$bin/prettier" --check
build_command schemagen
"$SCHEMAGEN_BINARY" export schema/pt2.yaml --format typescript -o build/javascript/pt2.ts
python3 dev/npm_schema.py build/javascript/pt2.ts build/javascript
rm build/javascript/pt2.ts
"$bin/tsc" -p dev/tsconfig.json
