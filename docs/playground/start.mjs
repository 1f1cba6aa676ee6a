// From Pyodide and what pack.py packed to the module that answers.
export const IMPORTS = "import io, sys, zipfile; from compression import zstd";
const UNPACK = `
with open("/app.bin", "rb") as stream:
    zipfile.ZipFile(io.BytesIO(zstd.decompress(stream.read()))).extractall("/app")
sys.path.insert(0, "/app")
`;

export function start(python, packed) {
  python.FS.writeFile("/app.bin", packed);
  python.runPython(IMPORTS + UNPACK);
  return python.pyimport("playground_driver");
}
