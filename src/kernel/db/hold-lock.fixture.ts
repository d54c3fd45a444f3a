import { lockWorkspace } from './instance-lock.ts'

// Run as a process of its own: takes the lock of the folder it is given, says so, and stays.
const [folder = ''] = process.argv.slice(2)
const lock = await lockWorkspace(folder, { pid: process.pid, startedAt: 'just now', host: 'here' })
process.stdout.write('locked')
setInterval(() => lock, 60_000)
