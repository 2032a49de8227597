const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");

export async function describe(api, source, options) {
  const described = {};
  const attempt = async (what, make) => {
    try {
      described[what] = await make();
    } catch (error) {
      const { name, message, path, line, column } = error;
      described[what] = { error: name, message, path, line, column };
    }
  };
  let file;
  await attempt("open", async () => void (file = await api.open(source, { newerFields: "skip", ...options })));
  if (!file) return described;
  await attempt("models", () => file.models);
  await attempt("program", () =>
    JSON.parse(JSON.stringify(file.program, (_, value) => (typeof value === "bigint" ? Number(value) : value))),
  );
  await attempt("tensors", async () => {
    const tensors = {};
    for (const name of file.keys()) {
      const info = file.layout(name);
      const elements = info.dtype === null ? null : await file.tensor(name).catch((error) => error.message);
      const bytes = elements?.buffer && (await crypto.subtle.digest("SHA-256", elements));
      tensors[name] = { ...info, array: elements?.constructor.name ?? null, sha256: bytes ? hex(bytes) : null };
    }
    return tensors;
  });
  await attempt("scan", () => file.scan());
  await attempt("verify", () => file.verify());
  await attempt("hash", () => api.hash(file));
  await attempt("hashOfObject", () => api.hash(file.program));
  await attempt("stats", () => api.stats(file, {}, { by: "module" }));
  await attempt("signature", () => api.signature(file));
  await attempt("show", () => api.show(file));
  file.close();
  return described;
}
