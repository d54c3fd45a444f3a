import type { z } from 'zod'
import type { Route, RouteInput } from './route.ts'

/** A route as a tool for models, as data. The route's permission, limits and validation apply. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly title: string
  /** The model decides by this text when to call the tool. */
  readonly description: string
  /** `runs` starts a program, which may do anything. */
  readonly effect: 'reads' | 'adds' | 'changes' | 'removes' | 'runs'
  /** The shape only. The route validates the values with its own messages. */
  readonly input: Input
  /** The name of the route. */
  readonly route: string
  toRouteInput(input: z.output<Input>, origin: ToolOrigin): RouteInput
  /** Renders a successful reply for the model. Default: the reply as JSON. */
  toText?(reply: unknown): string
  /** Selects the structured content of a successful reply for programs. */
  toStructured?(reply: unknown): object
}

/** The known origin of a tool call. */
export interface ToolOrigin {
  readonly project: string | undefined
  readonly harness: string | undefined
  /** The only possible session of the call; used for additions that name none. */
  readonly sessionKey: string | undefined
  /** Of a read that names no session: the live sessions of the harness, one of which calls. */
  readonly liveSessions: readonly string[]
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
