import { workerData } from 'node:worker_threads'
import { openThreadReader } from '../../../kernel/db/thread-reader.ts'
import { realHost } from '../../../kernel/host/host.ts'
import { serveEngine } from '../../thread/serve-engine.ts'
import type { SearchWorkerOptions } from '../embedded-engine.ts'
import { identityOf } from '../snapshot/snapshot-file.ts'
import { createFileConnection } from './feed-connection.ts'
import { createIndexEngine } from './index-engine.ts'

const options: SearchWorkerOptions = workerData
const reader = openThreadReader(options.file)
const connection = createFileConnection(reader, options, identityOf(options.file))
serveEngine((listeners) =>
  createIndexEngine({ ...options, ...listeners, host: realHost, connection }),
)
