import type { FastifySchemaCompiler } from 'fastify'
import { z } from 'zod'
import { Refusal } from '../errors/refusal.ts'

/** A schema's own words go out as they are; the library's need the field's name before them. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (sent: unknown) =>
    check(schema, sent)

type Checked =
  | { readonly value: unknown; readonly error?: never }
  | { readonly value?: never; readonly error: Refusal }

export function check(schema: z.ZodType, sent: unknown): Checked {
  const { success, data, error } = schema.safeParse(sent, { error: nameField })
  return success ? { value: data } : { error: toInvalid(error) }
}

function nameField(issue: z.core.$ZodRawIssue): string {
  const said = z.config().localeError?.(issue)
  const message = (typeof said === 'string' ? said : said?.message) ?? 'Invalid input'
  const path = (issue.path ?? []).join('.')
  return path ? `${path}: ${message}` : message
}

function toInvalid({ issues }: z.ZodError): Refusal {
  const listed = issues.map(({ path, message }) => ({ at: path.join('.'), message }))
  return new Refusal('invalid', 'invalid_request', listed[0]?.message ?? 'Invalid input', {
    issues: listed,
  })
}
