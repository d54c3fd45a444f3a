import { z } from 'zod'
import type { Route } from '../src/kernel/http/route.ts'
import type { Tables } from './read-tables.ts'

/** Renders the HTTP API reference from the route table of the daemon. */
export function renderHttpApi({ routes }: Tables): string {
  return `# HTTP API\n\nWritten by \`npm run docs\`.\n\n${routes.map(renderRoute).join('\n')}`
}

function renderRoute(route: Route): string {
  const { method, path, params, query, body, describedBytes, summary } = route
  const parts = Object.entries({ path: params, query, ...describedBytes, body })
  const rows = parts.flatMap(([part, schema]) => (schema ? renderFields(part, schema) : []))
  const heading = ['| in | field | type | |', '|---|---|---|---|']
  const table = rows.length > 0 ? [...heading, ...rows, ''] : []
  const description = summary ? [summary, ''] : []
  return [`## ${method} ${path}`, '', ...description, renderTerms(route), '', ...table].join('\n')
}

/** Renders the name, the permission, the rate limits and the aliases of a route. */
function renderTerms({ name, permission, limit, aliases = [], ...route }: Route): string {
  const limited = typeof limit === 'string' ? [`limit \`${limit}\``] : []
  const also = aliases.map((alias) => `also \`${alias}\``)
  const unscoped = route.requiresUnscoped ? ['token without a scope'] : []
  const local = route.requiresLocal ? ['from the machine of the daemon'] : []
  const form = route.describedBytes?.form ? 'body `multipart/form-data`' : 'body of bytes'
  const bytes = route.accepts === 'bytes' ? [form] : []
  const terms = [`\`${name}\``, `permission \`${permission}\``, ...unscoped, ...local, ...bytes]
  return [...terms, ...limited, ...also].join(', ')
}

function renderFields(part: string, schema: z.ZodType): string[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' })
  return Object.entries(properties).map(([field, type]) => {
    const mark = required.includes(field) ? 'required' : ''
    return `| ${part} | \`${field}\` | ${renderType(type)} | ${mark} |`
  })
}

function renderType(type: z.core.JSONSchema._JSONSchema): string {
  if (typeof type === 'boolean') return 'anything'
  if (type.enum) return type.enum.map((value) => `\`${value}\``).join(', ')
  return type.anyOf
    ? type.anyOf.map(renderType).join(' or ')
    : [type.type ?? 'anything'].flat().join(' or ')
}
