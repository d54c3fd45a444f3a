import type { ChildLedger } from '../process/child-ledger.ts'

/** For tests whose processes end with them. */
export const noChildLedger: ChildLedger = {
  add: async () => async () => {},
  killLeftovers: async () => {},
}
