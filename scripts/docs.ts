import { writeFile } from 'node:fs/promises'
import { renderHttpApi } from './http-api.ts'
import { renderMcpTools } from './mcp-tools.ts'
import { readTables } from './read-tables.ts'

const tables = await readTables()
await writeFile('docs/http-api.md', renderHttpApi(tables))
await writeFile('docs/mcp-tools.md', renderMcpTools(tables))
