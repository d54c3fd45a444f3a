import type { z } from 'zod'

type SnakeCase<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : ''

type SnakeKeys<Fields> = { [Name in keyof Fields as SnakeCase<Name>]: Fields[Name] }

/** Renames the fields of a reply: `createdAt` becomes `created_at`. */
export function toSnakeKeys<Fields extends object>(fields: Fields): SnakeKeys<Fields> {
  const renamed = Object.entries(fields).map(([name, value]) => [toSnakeCase(name), value])
  return Object.fromEntries(renamed) as SnakeKeys<Fields>
}

/** Accepts each field of a request under its name and under its snake-case name. */
export function inBothCases<Shape extends z.ZodRawShape>(shape: Shape): Shape & SnakeKeys<Shape> {
  const pairs = Object.entries(shape).flatMap(([name, field]) => [
    [name, field],
    [toSnakeCase(name), field],
  ])
  return Object.fromEntries(pairs) as Shape & SnakeKeys<Shape>
}

/** Reads the fields of `inBothCases`. The camel-case name takes precedence. */
export function foldCases<Shape extends z.ZodRawShape>(
  shape: Shape,
  body: object,
): z.output<z.ZodObject<Shape>> {
  const fields: Readonly<Record<string, unknown>> = { ...body }
  const entries = Object.keys(shape).map((name) => [
    name,
    fields[name] ?? fields[toSnakeCase(name)],
  ])
  return Object.fromEntries(entries) as z.output<z.ZodObject<Shape>>
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
