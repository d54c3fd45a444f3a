import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import specification from './openapi-3.1.schema.json' with { type: 'json' }

/** As the specification binds it: a Schema Object is JSON Schema 2020-12. */
const schemaObject = { $ref: 'https://json-schema.org/draft/2020-12/schema' }
const bound = JSON.stringify(specification)
  .replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"')
  .replace(JSON.stringify(specification.$defs.schema), JSON.stringify(schemaObject))

/** What is wrong with an OpenAPI 3.1 document; nothing where it is valid. */
export function findOpenapiErrors(document: unknown): readonly ErrorObject[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const validate = ajv.compile(JSON.parse(bound))
  return validate(document) ? [] : (validate.errors ?? [])
}

/** What is wrong with a value by the schema at a place of the document, such as `['paths', '/health']`. */
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
