// usage: node bench/extension/run.ts
import { measureAudit } from './audit.ts'
import { measureExec } from './exec.ts'
import { measureListeners } from './listeners.ts'
import { measureRedaction } from './redaction.ts'

const print = (text: string) => process.stdout.write(`${text}\n`)

print('| measure | result | limit |\n|---|---|---|')
for (const measure of [measureRedaction, measureExec, measureListeners, measureAudit])
  for (const { name, value, limit } of await measure()) print(`| ${name} | ${value} | ${limit} |`)
