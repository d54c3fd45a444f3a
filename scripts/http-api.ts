import { z } from 'zod'
import type { Route } from '../src/kernel/http/route.ts'
import type { Tables } from './read-tables.ts'

/** The reference of the HTTP API, from the route table that the daemon serves. */
export function renderHttpApi({ routes }: Tables): string {
  return `# HTTP API\n\nWritten by \`npm run docs\`.\n\n${routes.map(renderRoute).join('\n')}`
}

function renderRoute({ name, method, path, permission, params, query, body }: Route): string {
  const parts = Object.entries({ path: params, query, body })
  const rows = parts.flatMap(([part, schema]) => (schema ? renderFields(part, schema) : []))
  const heading = ['| in | field | type | |', '|---|---|---|---|']
  const table = rows.length > 0 ? [...heading, ...rows, ''] : []
  const intro = `\`${name}\`, permission \`${permission}\``
  return [`## ${method} ${path}`, '', intro, '', ...table].join('\n')
}

function renderFields(part: string, schema: z.ZodType): string[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' })
  return Object.entries(properties).map(([field, type]) => {
    const needed = required.includes(field) ? 'required' : ''
    return `| ${part} | \`${field}\` | ${renderType(type)} | ${needed} |`
  })
}

function renderType(type: z.core.JSONSchema._JSONSchema): string {
  if (typeof type === 'boolean') return 'anything'
  if (type.enum) return type.enum.map((value) => `\`${value}\``).join(', ')
  return type.anyOf
    ? type.anyOf.map(renderType).join(' or ')
    : [type.type ?? 'anything'].flat().join(' or ')
}
