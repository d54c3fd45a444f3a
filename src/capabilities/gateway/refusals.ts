import { invalidRequest, Refusal } from '../../kernel/errors/refusal.ts'

/** `at` is the field that official clients show as `param`. */
export function invalidField(at: string, message: string): Refusal {
  return invalidRequest(message, { issues: [{ at, message }] })
}

export function unsupported(at: string, message: string): Refusal {
  return new Refusal('invalid', 'unsupported_parameter', message, { issues: [{ at, message }] })
}

export function unknownModel(message: string): Refusal {
  const issues = [{ at: 'model', message }]
  return new Refusal('invalid', 'unknown_model', message, { issues })
}
