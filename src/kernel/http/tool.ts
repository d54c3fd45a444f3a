import type { z } from 'zod'
import type { Route, RouteInput } from './route.ts'

/** A route as a tool for models, as data. The route's permission, limits and validation apply. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly title: string
  /** The model decides by this text when to call the tool. */
  readonly description: string
  /** `runs` starts a program, which may do anything. Each call that `sends` has its own effect. */
  readonly effect: 'reads' | 'adds' | 'sends' | 'changes' | 'removes' | 'runs'
  /** The shape only. The route validates the values with its own messages. */
  readonly input: Input
  /** Whether tools are listed with this one at present; absent for always. */
  isOffered?(): boolean
  /** Off by default: not in the list that is shown without a daemon. */
  readonly isOptional?: boolean
  /** The name of the route. */
  readonly route: string
  /** The route of a call that has the argument, instead of `route`. */
  readonly routeByArgument?: { readonly argument: string; readonly route: string }
  toRouteInput(input: z.output<Input>, origin: ToolOrigin): RouteInput
  /** Replaces the text of `not_found`, which names no remedy. */
  readonly notFound?: string
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
export interface MountedTool extends Omit<Tool, 'route' | 'routeByArgument'> {
  readonly route: Route
  readonly routeByArgument?: { readonly argument: string; readonly route: Route }
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
  return tools.map(({ routeByArgument: other, ...tool }) => {
    const find = (name: string) => {
      const route = byName.get(name)
      if (!route) throw new Error(`The tool ${tool.name} has no route '${name}'.`)
      return route
    }
    const routeByArgument = other && { ...other, route: find(other.route) }
    return { ...tool, route: find(tool.route), ...(routeByArgument && { routeByArgument }) }
  })
}

/** The route that a call of the tool runs. */
export function selectRoute(
  { route, routeByArgument }: MountedTool,
  input: Readonly<Record<string, unknown>>,
): Route {
  return routeByArgument && input[routeByArgument.argument] !== undefined
    ? routeByArgument.route
    : route
}
