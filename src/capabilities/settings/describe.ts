import type { z } from 'zod'
import { variableOfSetting } from '../../kernel/config/held-settings.ts'
import descriptions from './descriptions.json' with { type: 'json' }
import type { SettingsNeeds } from './needs.ts'
import type { schemaReply } from './schemas.ts'

/** The unit of a setting is the end of its name. */
const units: readonly (readonly [RegExp, string])[] = [
  [/(Ms|_ms)$/, 'milliseconds'],
  [/(Seconds|check_interval|syncInterval)$/, 'seconds'],
  [/(Minutes)$/, 'minutes'],
  [/(Days|_days)$/, 'days'],
  [/(Bytes)$/, 'bytes'],
  [/(Chars)$/, 'characters'],
  [/(Tokens|tokensPerDay|tokenThreshold)$/, 'tokens'],
]

const texts: Readonly<Record<string, string>> = descriptions

export function describeSettings({
  config,
}: Pick<SettingsNeeds, 'config'>): z.input<typeof schemaReply> {
  const properties = config.schemas().map(({ key, schema, needsRestart }) => {
    const unit = units.find(([ending]) => ending.test(key))?.[1]
    const variable = variableOfSetting[key]
    return [
      key,
      {
        ...schema,
        ...(texts[key] !== undefined && { description: texts[key] }),
        ...(unit !== undefined && isNumber(schema.type) && { 'x-unit': unit }),
        ...(variable !== undefined && { 'x-environment': variable }),
        'x-restart': needsRestart,
      },
    ] as const
  })
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: Object.fromEntries(properties),
  }
}

function isNumber(type: unknown): boolean {
  return type === 'integer' || type === 'number'
}
