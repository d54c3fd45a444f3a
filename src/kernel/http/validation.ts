import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'
import { invalidRequest, type Refusal } from '../errors/refusal.ts'
import { describeIssue } from '../errors/schema-messages.ts'

/**
 * Errors of a schema with its own message are returned as they are; default ones get the field
 * name.
 */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (input: unknown) =>
    check(schema, input)

type Checked =
  | { readonly value: unknown; readonly error?: never }
  | { readonly value?: never; readonly error: Refusal }

export function check(schema: z.ZodType, input: unknown): Checked {
  const { success, data, error } = schema.safeParse(input, { error: nameField })
  return success ? { value: data } : { error: toInvalid(error) }
}

function nameField(issue: z.core.$ZodRawIssue): string {
  return `${(issue.path ?? []).join('.') || 'input'}: ${describeIssue(issue)}`
}

function toInvalid({ issues }: z.ZodError): Refusal {
  const listed = issues.map(({ path, message }) => ({ at: path.join('.'), message }))
  return invalidRequest(listed[0]?.message ?? 'the input is not valid', {
    issues: listed,
  })
}
