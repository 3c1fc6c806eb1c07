import { reject } from '#contract/errors.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { downloadCounts } from '../download-counts.ts'
import { fileStore, limitPublicDownloads, rejectionOfStore } from '../download-files.ts'
import { sessionOfTicket } from '../download-ticket.ts'
import { downloadsContract } from '../downloads.contract.ts'
import { findPublicDownload, findSignedInUser } from '../downloads.reads.ts'
import { downloadsErrors } from '../downloads.errors.ts'

export const getDownload = endpoint(downloadsContract.getDownload, {
  send: async ({ services, params, query, caller, now }) => {
    const { db, masterKey } = services
    limitPublicDownloads(services, caller.ip)
    const file = (await findPublicDownload(db.read, params.id)) ?? reject(downloadsErrors, 'DOWNLOAD_NOT_FOUND')
    const { id, app_id: appId } = file
    const session = sessionOfTicket(masterKey, { ticket: query.ticket ?? '', downloadId: id, now })
    const username = session === undefined ? undefined : await findSignedInUser(db.read, { appId, session, now })
    if (file.authenticated === 1 && username === undefined) reject(downloadsErrors, 'DOWNLOAD_AUTH_REQUIRED')
    return {
      name: file.file_name,
      bytes: Number(file.size),
      etag: file.sha256,
      open: (range) =>
        fileStore(services)
          .open(id, range)
          .catch((error: unknown) => {
            throw rejectionOfStore(services, error) ?? error
          }),
      onSent: (sent) => {
        const download = { appId, downloadId: id, name: file.name, bytes: Number(file.size), sent }
        downloadCounts(services).record({ ...download, at: now, ip: caller.ip, username })
      },
    }
  },
})
