import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import specification from './openapi-3.1.schema.json' with { type: 'json' }

/** The OpenAPI 3.1 schema with its base dialect: a Schema Object is JSON Schema 2020-12. */
const schemaObject = { $ref: 'https://json-schema.org/draft/2020-12/schema' }
const bound = JSON.stringify(specification)
  .replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"')
  .replace(JSON.stringify(specification.$defs.schema), JSON.stringify(schemaObject))

/** Validates an OpenAPI 3.1 document and returns the errors. */
export function findOpenapiErrors(document: unknown): readonly ErrorObject[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const validate = ajv.compile(JSON.parse(bound))
  return validate(document) ? [] : (validate.errors ?? [])
}

/**
 * Validates a value against the schema at a path of the document, such as `['paths', '/health']`.
 */
export function createFindErrors(document: object) {
  const formats = { 'date-time': (value: string) => !Number.isNaN(Date.parse(value)) }
  const ajv = new Ajv2020({ strict: false, logger: false, formats })
  ajv.addSchema(document, 'document')
  return (at: readonly string[], value: unknown): readonly ErrorObject[] => {
    const pointer = at.map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1'))
    const place = pointer.map(encodeURIComponent).join('/')
    const validate = ajv.getSchema(`document#/${place}`)
    if (!validate) throw new Error(`The document has no schema at ${place}.`)
    return validate(value) ? [] : (validate.errors ?? [])
  }
}
