/** Instantiates a WebAssembly module from base64. */
export function instantiate(
  kernel: string,
  memory: WebAssembly.Memory,
): Readonly<Record<string, unknown>> {
  const module = new WebAssembly.Module(Buffer.from(kernel, 'base64'))
  return new WebAssembly.Instance(module, { env: { memory } }).exports
}
