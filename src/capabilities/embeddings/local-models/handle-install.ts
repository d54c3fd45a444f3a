import { Refusal } from '../../../kernel/errors/refusal.ts'
import { isForwarded } from '../../../kernel/http/loopback.ts'
import { type Call, Reply } from '../../../kernel/http/route.ts'
import { type InstallRequest, isUrl } from './install-model.ts'
import type { createLocalModels } from './local-models.ts'

type InstallCall = Pick<Call<unknown, unknown, InstallRequest>, 'body' | 'principal' | 'headers'>

/** Only a program of this machine names a folder of this machine. */
export async function handleInstall(
  localModels: Pick<ReturnType<typeof createLocalModels>, 'install'>,
  { body, principal, headers }: InstallCall,
) {
  if (!isUrl(body.source) && (!principal.isLocal || isForwarded(headers)))
    throw new Refusal(
      'forbidden',
      'not_local_paths',
      'Only a program on the machine of the service may name a folder. Pass a URL.',
    )
  return new Reply(202, { job: await localModels.install(body) })
}
