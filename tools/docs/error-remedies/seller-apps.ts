import type { SellerCall } from '../error-codes.ts'
import type { SellerRemedies } from './seller-calls.ts'

const settings = ['updateSettings'] as const satisfies SellerCall[]
const uploads = ['uploadDownload'] as const satisfies SellerCall[]
const files = ['uploadDownload', 'updateDownload'] as const satisfies SellerCall[]

/** The app's settings, variables, files, and program sessions in the seller API. */
export const sellerApps = {
  APP_VERSION_INVALID: {
    calls: settings,
    cause: 'The version is empty, too long, or contains invisible characters.',
    remedy: 'Send the version exactly as your program passes it to the client, such as `1.0.0`.',
  },
  MIN_HWID_LENGTH_INVALID: {
    calls: settings,
    cause: '`minimumHwidLength` is not a whole number in the range of the message.',
    remedy: 'Send a number in that range.',
  },
  SESSION_EXPIRY_INVALID: {
    calls: settings,
    cause: '`sessionExpiryDuration` is not a whole number of seconds in the range of the message.',
    remedy: 'Send a number in that range.',
  },
  HASH_REQUIRED: {
    calls: settings,
    cause: '`hashCheck` is on and `hashToCheck` is empty, so no program could start.',
    remedy: 'Send the SHA-256 of the released file in the same call, or turn the hash check off.',
  },
  HASH_INVALID: {
    calls: settings,
    cause: '`hashToCheck` is not 64 hexadecimal digits.',
    remedy: 'Send the SHA-256 of the file, for example from `sha256sum` or `Get-FileHash`.',
  },
  AUTO_UPDATE_LINK_INVALID: {
    calls: settings,
    cause: '`autoUpdateDownloadLink` is not an `http://` or `https://` address, is too long, or contains a password.',
    remedy: 'Send the whole address of your download page, or an empty text.',
  },
  WEBLOADER_LINK_INVALID: {
    calls: settings,
    cause: '`webloaderDownloadLink` is not an `http://` or `https://` address, is too long, or contains a password.',
    remedy: 'Send the whole address, or an empty text.',
  },
  FIELD_CHANGED: {
    calls: ['updateSettings', 'updateDownload'],
    cause:
      'Somebody else changed the same field since you read it: its value is not the one in `before`. Your change was not saved.',
    remedy: 'Look at the value in `current` of the answer, and send the call again if yours is right.',
  },
  PLAN_FEATURE_MISSING: {
    calls: ['setAppVariable', 'uploadDownload', 'createListener', 'followListener'],
    cause: "The plan of the app's owner does not include this feature. `feature` in the answer names it.",
    remedy: 'See on **Profile** which plans include it, and ask an administrator of the server for one of them.',
  },
  APP_VARIABLE_LIMIT_REACHED: {
    calls: ['setAppVariable'],
    cause: "The app has as many variables as its owner's plan allows. Existing ones can still be changed.",
    remedy:
      'Delete some with `DELETE /variables/{name}` or on **Variables**, or ask an administrator of the server for a plan that allows more, which **Profile** shows.',
  },
  SESSION_NOT_FOUND: {
    calls: ['deleteSession'],
    cause: 'The app of your seller key has no program session with this ID, or it has already ended.',
    remedy: 'List the sessions with `GET /sessions`. If the session was to end, nothing is left to do.',
  },
  LISTENER_NOT_FOUND: {
    calls: ['followListener', 'deleteListener'],
    cause:
      'Your seller key has no listener with this ID, or nobody has followed it for 2 minutes. A listener of another key of the app looks the same.',
    remedy: 'Create a new one with `POST /webhooks/listeners`. Events of the time in between are not in it.',
  },
  LISTENER_LIMIT_REACHED: {
    calls: ['createListener'],
    cause: 'The app has as many listeners as an app can have.',
    remedy:
      'End a command line that still listens, or wait: a listener that nobody follows ends after 2 minutes by itself.',
  },
  DOWNLOAD_FILE_REQUIRED: {
    calls: uploads,
    cause: 'The upload has no file.',
    remedy: 'Send `multipart/form-data` with the file in the field `file`, as `curl -F file=@setup.exe` does.',
  },
  DOWNLOAD_NAME_REQUIRED: {
    calls: files,
    cause: 'The name of the file is empty.',
    remedy: 'Send a name, or leave the field out: an upload then uses the name of the file.',
  },
  DOWNLOAD_NAME_TOO_LONG: {
    calls: files,
    cause: 'The name of the file has more characters than the message allows.',
    remedy: 'Shorten it.',
  },
  DOWNLOAD_NAME_INVALID: {
    calls: files,
    cause: 'The name of the file contains invisible characters, has none that are visible, or is `.` or `..`.',
    remedy: 'Use visible characters.',
  },
  DOWNLOAD_NAME_TAKEN: {
    calls: files,
    cause:
      'Another file of the app already has this name. An upload that is repeated after it was stored meets itself.',
    remedy: 'Compare `sha256` in `GET /downloads/file/{name}` with your file, and choose another name if it differs.',
  },
  DOWNLOAD_DESCRIPTION_TOO_LONG: {
    calls: files,
    cause: 'The description has more characters than the message allows.',
    remedy: 'Shorten it.',
  },
  DOWNLOAD_LIMIT_REACHED: {
    calls: uploads,
    cause: 'The app has as many files as an app can have.',
    remedy: 'Delete files that nobody downloads anymore with `DELETE /downloads/file/{name}`.',
  },
  DOWNLOAD_NOT_FOUND: {
    calls: ['getDownload', 'updateDownload', 'enableDownload', 'disableDownload', 'deleteDownload', 'uploadDownload'],
    cause:
      'The app of your seller key has no file with this name or ID. During an upload, it means that the app was deleted.',
    remedy:
      'List the files with `GET /downloads`. Encode the name in the path. Each app needs a seller key of its own.',
  },
  FILE_TOO_LARGE: {
    calls: uploads,
    cause: "The file is larger than the server's settings allow.",
    remedy: 'Compress or divide it. The operator can raise `MAX_UPLOAD_MB`, and administrators **Max request size**.',
  },
  FILE_INFECTED: {
    calls: uploads,
    cause:
      "The server's virus scanner found something in the file, so the file was not stored. Packed and obfuscated programs cause false alarms.",
    remedy:
      'Check the computer that builds it. If the file is clean, sign it or use another packer, and report the false alarm to the makers of ClamAV.',
  },
  FILES_UNAVAILABLE: {
    calls: uploads,
    cause: "The server can't reach the place where it stores files.",
    remedy: 'Try again in a few minutes. The operator checks the bucket or the disk.',
  },
  STORAGE_FULL: {
    calls: uploads,
    cause: "The server's disk or bucket has no space left.",
    remedy: 'Tell the operator of the server, who has to make space.',
  },
  STORAGE_LIMIT_REACHED: {
    calls: uploads,
    cause: "The files of all apps of the owner together would be larger than the owner's plan allows.",
    remedy:
      'Delete files, in any of the apps, or ask an administrator of the server for a plan that allows more, which **Profile** shows.',
  },
} as const satisfies SellerRemedies
