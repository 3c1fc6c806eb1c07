import { reject } from '#contract/errors.ts'
import { undoHandler } from '#server/bulk/undo-handler.ts'
import { type CallContext, endpoint } from '#server/http/endpoint.ts'
import { importsContract } from '../imports.contract.ts'
import { importsErrors } from '../imports.errors.ts'
import { findImport } from '../imports.reads.ts'
import { undoImportActions } from '../undo-import.actions.ts'

const call = importsContract.undoImport

export const undoImport = endpoint(
  call,
  undoHandler(async (context: CallContext<typeof call>) => {
    const { services, app, body } = context
    const row = (await findImport(services.db.read, app.id, body.undoId)) ?? reject(importsErrors, 'UNDO_NOT_FOUND')
    return undoImportActions(context, row)
  }, 'IMPORT_UNDO_OK'),
)
