import { join } from 'node:path'
import { readRawValue } from '../../kernel/config/raw-settings.ts'
import { createFileLocks } from '../../kernel/files/file-lock.ts'
import { createGate } from '../../kernel/gate/gate.ts'
import { realHost as host } from '../../kernel/host/host.ts'
import { createLog } from '../../kernel/log/log.ts'
import { createChildLedger } from '../../kernel/process/child-ledger.ts'
import { gitSettings } from './config.ts'
import { createGitService } from './git-operations.ts'

// Runs as a separate process on a workspace. It completes what a kill has interrupted, and syncs.
const [folder = '', home = ''] = process.argv.slice(2)
const log = createLog('silent')
const children = createChildLedger(join(folder, '.daemon', 'children'), log)
await children.killLeftovers()
const service = createGitService({
  host,
  log,
  children,
  gate: createGate(host),
  locks: createFileLocks(host),
  credentials: { resolve: async () => undefined },
  folder,
  logPaths: [join(folder, 'logs'), join(folder, 'memory', 'service.txt')],
  settings: {
    read: () => gitSettings.schema.parse({ autoCommit: true }),
    onChange: () => {},
    examine: () => undefined,
    readValue: readRawValue,
  },
  variables: () => ({ HOME: home, PATH: '/usr/bin:/bin' }),
  askPass: '/bin/false',
})
process.stdout.write('started\n')
await service.recover()
process.stdout.write(`${JSON.stringify(await service.sync())}\n`)
