import type { Capability, CapabilityModule } from './capability.ts'

type Create<Context, Earlier, Created> = (context: Context, earlier: Earlier) => Created

/** The capabilities of a daemon in the order of construction. Each may use those before it. */
export interface Registry<Context, Built = object> {
  readonly modules: readonly CapabilityModule[]
  add<Name extends string, Created extends Capability>(
    module: CapabilityModule<Name>,
    create: Create<Context, Built, Created>,
  ): Registry<Context, Built & Readonly<Record<Name, Created>>>
  /**
   * Constructs all capabilities and seals their extension points. `contextOf` adapts the context to a
   * capability.
   */
  build(context: Context, contextOf?: (name: string, context: Context) => Context): Built
}

interface Entry<Context> {
  readonly module: CapabilityModule
  readonly create: Create<Context, never, Capability>
}

export function createRegistry<Context>(
  entries: readonly Entry<Context>[] = [],
): Registry<Context, object> {
  return {
    modules: entries.map(({ module }) => module),
    add: (module, create) =>
      createRegistry([...entries, { module, create: create as Entry<Context>['create'] }]) as never,
    build: (context, contextOf = (_name, context) => context) => {
      const built: Record<string, Capability> = {}
      for (const { module, create } of entries) {
        const own = contextOf(module.name, context)
        built[module.name] = create(own, built as never)
      }
      for (const { extensionPoints = [] } of Object.values(built))
        for (const point of extensionPoints) point.seal()
      return built
    },
  }
}
