/** As much of it as is used: the types of Node leave it empty, those of browsers bring all of theirs. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Memory {
    constructor(limits: {
      readonly initial: number
      readonly maximum: number
      readonly shared?: boolean
    })
    readonly buffer: ArrayBufferLike
    grow(pages: number): number
  }
  class Instance {
    constructor(module: Module, imports: { readonly env: { readonly memory: Memory } })
    readonly exports: Readonly<Record<string, unknown>>
  }
}
