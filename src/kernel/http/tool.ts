import type { z } from 'zod'
import type { Route, RouteInput } from './route.ts'

/** A route as a model calls it, as data: its permission, limits and checks are those of the route. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly title: string
  /** What a model reads to decide when to call it. */
  readonly description: string
  readonly effect: 'reads' | 'adds' | 'changes' | 'removes'
  /** Shape only; what the values must be is checked by the route, in its words. */
  readonly input: Input
  /** The name of its route. */
  readonly route: string
  toRouteInput(input: z.output<Input>, origin: ToolOrigin): RouteInput
  /** What the model reads of a good reply; without it, the reply as JSON. */
  toText?(reply: unknown): string
  /** What of a good reply goes along for programs. */
  toStructured?(reply: unknown): object
}

/** From where a tool is called, as far as that is known. */
export interface ToolOrigin {
  readonly project: string | undefined
  readonly harness: string | undefined
  /** For what is added where the call names none: the only one that it can be from. */
  readonly sessionKey: string | undefined
}

/** A tool with its route. */
export interface MountedTool extends Omit<Tool, 'route'> {
  readonly route: Route
}

/** Infers the input at the definition. Tables of tools use the general type. */
export function tool<Input extends z.ZodObject>(definition: Tool<Input>): Tool {
  return definition as unknown as Tool
}

/** Throws for a tool without a route. */
export function mountTools(
  tools: readonly Tool[],
  routes: readonly Route[],
): readonly MountedTool[] {
  const byName = new Map(routes.map((route) => [route.name, route]))
  return tools.map((tool) => {
    const route = byName.get(tool.route)
    if (!route) throw new Error(`The tool ${tool.name} has no route '${tool.route}'.`)
    return { ...tool, route }
  })
}
