import { readFile, writeFile } from 'node:fs/promises'
import { renderHttpApi } from './http-api.ts'
import { renderMcpTools } from './mcp-tools.ts'
import { readTables } from './read-tables.ts'
import { descriptionsFile, readSettingDescriptions } from './setting-descriptions.ts'

const configuration = await readFile('docs/configuration.md', 'utf8')
// First, because the settings capability reads this file.
const descriptions = readSettingDescriptions(configuration)
await writeFile(descriptionsFile, `${JSON.stringify(descriptions, null, 2)}\n`)

const tables = await readTables()
await writeFile('docs/http-api.md', renderHttpApi(tables))
await writeFile('docs/mcp-tools.md', renderMcpTools(tables))
