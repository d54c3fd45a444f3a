/** Whoever was to answer is gone. The question may be asked again; nobody does so unasked. */
export class EngineLost extends Error {
  override readonly name = 'EngineLost'
}

/** Too many wait already. */
export class EngineBusy extends Error {
  override readonly name = 'EngineBusy'
}
