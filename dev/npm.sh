#!/usr/bin/env bash
# dev/npm.sh: builds the npm package, for Node and browsers: build/npm/libpt2-VERSION.tgz has a WebAssembly copy of libpt2 by Debian's
# emscripten, and the modules of bindings/wasm. The WebAssembly must be below 1.1 MB, compressed. Needs npm; installs what else is missing
# (Debian, as root; npm packages into build). Uses or builds SCHEMAGEN_BINARY. Makes generated/page, too. Takes two minutes.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/dev/install.sh"
[ $# -eq 0 ] || usage

install_packages wasm
unpack_packages
build_command schemagen
cd "$root"
version=$(sed -n 's/^project(pt2 VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
build=$root/build/npm
package=$build/package
rm -rf "$package" "$build/copy"
mkdir -p "$package" "$build/include"
"$SCHEMAGEN_BINARY" amalgamate schema/pt2.yaml --level all --with-c -o "$build/copy"
cp /usr/include/xxhash.h "$build/include"

# library.js replaces emscripten's JavaScript. WebAssembly exceptions are a third smaller and faster than emscripten's; browsers have them
# since 2021.
export NODE_PATH=/usr/share/nodejs
functions=$(sed -nE 's/^SCHEMAGEN_API [^;(]*\b((pt2|schemagen)_[a-z0-9_]+)\(.*/\1/p' bindings/c/pt2.h bindings/c/schemagen_value.h |
  grep -xEf <(grep -ohE '\b(pt2|schemagen)_[a-z0-9_]+' bindings/wasm/*.js | sed 's/_$/_.*/') | sed 's/^/_/' | paste -sd,)
# -O2 with SIMD is six times as fast as -Oz, and half as large again.
em++ -std=c++17 -O2 -msimd128 -msse2 -DNDEBUG -DPT2_WITH_XXHASH -fwasm-exceptions -isystem "$build/include" "$build/copy/pt2.cpp" -c -o "$build/pt2.o"
emcc -O2 bindings/wasm/memory_growth.c -c -o "$build/memory_growth.o"
em++ -Oz -fwasm-exceptions -sSTANDALONE_WASM -sWASM_BIGINT -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=4GB -sTOTAL_STACK=4MB \
  "-sEXPORTED_FUNCTIONS=_malloc,_free,$functions" -Wl,--wrap=emscripten_resize_heap --no-entry "$build/pt2.o" "$build/memory_growth.o" \
  -o "$package/libpt2.wasm"
size=$(gzip -9c "$package/libpt2.wasm" | wc -c)
echo "libpt2.wasm: $(stat -c %s "$package/libpt2.wasm") bytes, $size compressed"
[ "$size" -lt 1110000 ] || { echo "npm.sh: the WebAssembly must be below 1,110,000 bytes, compressed" >&2 && exit 1; }

dev/bundle.sh
cp bindings/wasm/*.js bindings/wasm/index.d.ts bindings/wasm/README.md LICENSE "$package"
# drawing.js comes with dagre and the modules of the page that it needs.
build/model_tools/node_modules/.bin/esbuild bindings/wasm/drawing.js --bundle --minify --format=esm --tsconfig=dev/tsconfig.json \
  --log-level=warning --external:*/program_file.js --loader:.css=text --inject:build/javascript/dagre.js \
  --banner:js="$(cat generator/dagre_licence.txt)" --allow-overwrite --outfile="$package/drawing.js"
sed "s/@VERSION@/$version/" bindings/wasm/package.json.in >"$package/package.json"
"$SCHEMAGEN_BINARY" export schema/pt2.yaml --format typescript -o "$build/pt2.ts"
python3 dev/npm_schema.py "$build/pt2.ts" "$package"
python3 dev/viewer_page.py "$package" "$package/viewer.html"
(cd "$build" && npm pack --silent "$package")
echo "made build/npm/libpt2-$version.tgz"
