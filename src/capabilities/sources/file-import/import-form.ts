import { assertAllProjects, assertUnscoped } from '../../../kernel/auth/permission.ts'
import { isForwarded } from '../../../kernel/http/loopback.ts'
import { type Call, Reply } from '../../../kernel/http/route.ts'
import { sourcesRefusal } from '../refusals.ts'
import { type FileImportNeeds, importFiles } from './import-files.ts'
import { withReceivedForm } from './receive-files.ts'

type FormCall = Pick<Call<unknown, unknown, unknown>, 'caller' | 'principal' | 'headers' | 'bytes'>

/** Receives a form and imports its files. Replies 207 when one of them failed. */
export async function importForm(
  needs: FileImportNeeds & { readonly folder: string },
  call: FormCall,
) {
  assertAllProjects(call)
  return withReceivedForm(needs.folder, call, async (form) => {
    if (form.hasPaths) assertMayName(call)
    const result = await importFiles(needs, call.caller, form)
    return new Reply(result.failed === 0 ? 201 : 207, result)
  })
}

/** Only a program of this machine names files of this machine. */
function assertMayName({ caller, principal, headers }: FormCall): void {
  assertUnscoped(caller)
  if (!principal.isLocal || isForwarded(headers)) throw sourcesRefusal('not_local_paths')
}
