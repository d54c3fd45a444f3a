import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderKernel } from '../../../../scripts/kernels.ts'
import { rowsPerBlock } from './block-layout.ts'
import { estimate, list, multiply } from './plain-scan-kernel.fixture.ts'
import { createRowMemory } from './row-memory.ts'
import { createScanner } from './scanner.ts'

test.each(['embedded/vectors/scan-kernel', 'tokens/similarity-kernel'] as const)(
  'the compiled kernel %s matches its source',
  async (kernel) => {
    const binary = readFileSync(new URL(`../../${kernel}-binary.ts`, import.meta.url), 'utf8')

    expect(await renderKernel(kernel)).toBe(binary)
  },
)

/** Rows and a query. */
const vectorsOf = (most: number) =>
  fc.integer({ min: 1, max: most }).chain((dims) => {
    const vector = fc.float32Array({
      minLength: dims,
      maxLength: dims,
      min: -1,
      max: 1,
      noNaN: true,
    })
    return fc.tuple(fc.array(vector, { minLength: 1, maxLength: 40, size: 'max' }), vector)
  })

test('the scan kernel multiplies exactly like plain code', () => {
  fc.assert(
    fc.property(vectorsOf(80), ([rows, query]) => {
      const { memory, scanner } = ask(rows, query)
      scanner.multiply(Int32Array.from(rows.keys()))

      const most = Math.max(...query.map(Math.abs))
      const step = most / Math.min(32_767, Math.floor((2 ** 31 - 1) / (127 * query.length))) || 1
      const prepared = Array.from(query, (value) => Math.round(value / step))
      expect(scanner.queryScale()).toBe(step)
      for (const row of rows.keys())
        expect(scanner.product(row)).toBe(multiply(memory.read(row), prepared))
    }),
  )
})

test('the scan kernel estimates exactly by its tables', () => {
  fc.assert(
    fc.property(vectorsOf(80), ([rows, query]) => {
      const { memory, scanner } = ask(rows, query)

      const { stride, quantizer } = memory
      const tables = new Uint8Array(8 * stride)
      const { unit, offset, base } = quantizer.prepare(query, tables)
      const times = 1 / scanner.queryScale()
      const scale = { unit: times * unit, offset: times * offset, base: times * base }
      for (const [row, vector] of rows.entries()) {
        const quantize = new Uint8Array(stride / 4)
        const factor = quantizer.quantize(vector, quantize)
        expect(scanner.product(row)).toBe(estimate({ quantize, factor }, tables, scale))
      }
    }),
  )
})

test('for few dimensions the quantized bound is never exceeded', () => {
  fc.assert(
    fc.property(vectorsOf(64), ([rows, query]) => {
      const { scanner } = ask(rows, query)
      const most = rows.map((_, row) => scanner.product(row))
      scanner.multiply(Int32Array.from(rows.keys()))

      const scale = scanner.queryScale()
      for (const row of rows.keys())
        expect(scanner.product(row) * scale).toBeLessThanOrEqual((most[row] ?? 0) * scale + 1e-3)
    }),
  )
})

test('rows are multiplied in any order and block', () => {
  const memory = createRowMemory(16)
  memory.addBlocks(3)
  const rows = Int32Array.from({ length: 3 * rowsPerBlock }, (_, at) => (at * 7919) % (3 * 4096))
  for (const row of rows) memory.write(row, new Float32Array(16).fill(row))
  const scanner = createScanner(memory)
  scanner.prepare(new Float32Array(16).fill(1))
  scanner.estimate()
  scanner.multiply(rows)

  for (const row of rows)
    expect(scanner.product(row) * scanner.queryScale()).toBeCloseTo(16 * row, 1)
})

test('the scan kernel lists exactly the rows above the threshold of their kind', () => {
  const scanned = fc.record({
    products: fc.array(fc.float({ noNaN: true, min: -9, max: 9 }), { maxLength: 40, size: 'max' }),
    passages: fc.uniqueArray(fc.nat(39)),
    whole: fc.float({ noNaN: true, min: -9, max: 9 }),
    passage: fc.float({ noNaN: true, min: -9, max: 9 }),
  })
  fc.assert(
    fc.property(scanned, ({ products, passages, whole, passage }) => {
      const memory = createRowMemory(16)
      memory.addBlocks(2)
      const at = memory.layout.block(1).products
      const bytes = new Float32Array(memory.memory.buffer, at, rowsPerBlock)
      bytes.fill(Number.NEGATIVE_INFINITY).set(products)
      for (const row of passages) memory.setKind(rowsPerBlock + row, true)

      const isPassage = (row: number) => passages.includes(row)
      expect([...createScanner(memory).list(1, { whole, passage })]).toEqual(
        list(products, { isPassage, whole, passage }).map((row) => rowsPerBlock + row),
      )
    }),
  )
})

/** The estimated rows before any multiplication. */
function ask(rows: readonly Float32Array[], query: Float32Array) {
  const dims = query.length
  const memory = createRowMemory(dims)
  memory.addBlocks()
  memory.setCentroid(new Float32Array(dims).fill(0.25))
  for (const [row, vector] of rows.entries()) memory.write(row, vector)
  const scanner = createScanner(memory)
  scanner.prepare(query)
  scanner.estimate()
  return { memory, scanner }
}
