import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { CodesOf } from '#contract/codes.ts'
import type { downloadsContract } from '../downloads.contract.ts'

/** What the calls on downloads answer, by code. */
export const downloadsTexts: Record<keyof CodesOf<typeof downloadsContract>, MessageDescriptor> = {
  DOWNLOAD_NOT_FOUND: msg`Download not found`,
  DOWNLOAD_FILE_REQUIRED: msg`Please select a file`,
  DOWNLOAD_NAME_REQUIRED: msg`Please enter a name`,
  DOWNLOAD_NAME_TOO_LONG: msg({
    message: 'The name can have at most {max, plural, one {# character} other {# characters}}',
  }),
  DOWNLOAD_NAME_INVALID: msg`The name can only contain visible characters`,
  DOWNLOAD_NAME_TAKEN: msg`A file with this name already exists`,
  DOWNLOAD_DESCRIPTION_TOO_LONG: msg({
    message: 'The description can have at most {max, plural, one {# character} other {# characters}}',
  }),
  DOWNLOAD_LIMIT_REACHED: msg({ message: 'An app can have at most {limit, plural, one {# file} other {# files}}' }),
  FILE_TOO_LARGE: msg({ message: 'A file can have at most {maxMb} MB' }),
  STORAGE_LIMIT_REACHED: msg({
    message: 'Your plan allows {limitMb} MB of files. Delete some or change your plan.',
  }),
  FILE_INFECTED: msg({ message: 'This file is not stored: the virus scan found {virus} in it' }),
  FILES_UNAVAILABLE: msg`The files can not be reached right now. Please try again later.`,
  STORAGE_FULL: msg`The server has no room for this file`,
  DOWNLOAD_AUTH_REQUIRED: msg`Only a program that is signed in can download this file`,

  DOWNLOAD_UPLOAD_OK: msg`File uploaded successfully`,
  DOWNLOAD_UPLOAD_PENDING: msg`File uploaded. It can be downloaded as soon as it has been checked for viruses.`,
  DOWNLOAD_UPDATE_OK: msg`Download updated successfully`,
  DOWNLOAD_DELETE_OK: msg`Download deleted successfully`,
  DOWNLOAD_ENABLE_OK: msg`Download enabled successfully`,
  DOWNLOAD_DISABLE_OK: msg`Download disabled successfully`,
}
