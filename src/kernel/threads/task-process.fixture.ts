import { readFileSync } from 'node:fs'
import { serveTasks } from './serve-tasks.ts'

/** Functions that the tests run in a child process. */
export const processTasks = {
  double: (bytes: Uint8Array) => bytes.map((byte) => byte * 2),
  fail: (): never => {
    throw new RangeError('out of range')
  },
  hang: (): never => {
    for (;;);
  },
  exhaustHeap: (): number => {
    const rows: object[] = []
    for (;;) rows.push({ row: rows.length })
  },
  identify: () => process.pid,
  readPasswords: () => readFileSync('/etc/passwd', 'utf8'),
}

serveTasks(processTasks)
