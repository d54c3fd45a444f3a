/** The declarations in use: Node has none, and those of browsers bring the whole DOM. */
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
