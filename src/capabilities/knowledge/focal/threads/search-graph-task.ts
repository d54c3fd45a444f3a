import { serveReadTask } from '../../../../kernel/db/sqlite/serve-read-task.ts'
import { searchGraph } from '../search-graph.ts'

export const serve = serveReadTask(searchGraph)
