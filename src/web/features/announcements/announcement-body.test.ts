import { expect, test } from 'vitest'
import { attachmentTypeText } from './announcement-body.tsx'

test.each([
  ['application/pdf', 'PDF document'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'Text document'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'Spreadsheet'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'Presentation'],
  ['application/x-zip-compressed', 'Archive'],
  ['image/png', 'Image'],
  ['text/plain', 'Text'],
  ['application/x-unheard-of', 'application/x-unheard-of'],
  ['application/octet-stream', 'File'],
  ['', 'File'],
  [null, 'File'],
])('calls %s %s', (type, text) => expect(attachmentTypeText(type)).toBe(text))
