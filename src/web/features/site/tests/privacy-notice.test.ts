import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { consentVersion } from '#shared/registration/consent.ts'
import privacyNotice from '../texts/privacy-notice.json' with { type: 'json' }

// By SHA-256, for each version that registrants agreed to.
const agreedTexts: Record<string, string> = {
  '2026-11': '8cfac4b5d6f81bf5748be8cc4860b5c1b07fd931f319019c964f3c438aafeffb',
  '2026-11-20': '96a5a7c17f4fb01769349dae8dd1c48b2b8d65c0e1c0af857ac3021c332fe0e1',
  '2026-11-22': 'a39b8375457afee1972d8380b7bdf993854e3649f23072c39a3c88eafdd449c3',
  '2026-11-23': '5666fa4245f30b9323beffeda3d99be2da9eeb6d91056f55dc591778e85f4fc0',
  '2026-11-24': '4bf07d2f4cd06712347f69899ec9eeb0380e74f2d6006a9249275da24167c81d',
  '2026-11-24.2': '8a0375cb318dd10e46572415040bbd590b5354007616b3c92d324f570185598e',
  '2026-11-24.3': '373dcf1b5e46ebed1e5f444898de4a5d18a823734cf61beee6555c05df66b75a',
  '2026-11-25': '9dde10a9afa6b14aeb24006b34938e6f1daced6ffe1c09344ec649814304eaef',
  '2026-11-26': '772df4e88e45217b45c2b2542fd97acabf66decedc7630b96f7f98669be98037',
  '2026-11-26.2': '6bf21b97cf6e81fa44e3017f17e8d3c01e83aaec67adeeea9e5f8bd328507324',
  '2026-11-26.3': '93ef05e48711569c1a8a9b2709940d0bd026ec658a23b76e5ee4d1f41d55297b',
  '2026-11-29': '2f15a18055289fc0f32cf81d5eb9a27118bbe79019258f4bf39b929ff3a3ce2a',
  '2026-11-29.2': 'c4635018494ff82fbf431b9749fd65018a375943e68d62014d0db75f3f5ad40b',
  '2026-11-30': 'df266bf94326e1e2e02eb24ee86b286ffd1d319c50991171cc8b54d9b3d7999e',
  '2026-11-30.2': 'c4eabc7e1ce3be3c760e63401f8d0d2a03c48e08cb3729bfc36d044e7975342c',
}

test('a version names one exact text: a change of words needs a new version here and in #shared/consent.ts', () => {
  const text = createHash('sha256').update(JSON.stringify(privacyNotice)).digest('hex')
  expect({ version: consentVersion, text }).toEqual({
    version: consentVersion,
    text: agreedTexts[consentVersion],
  })
})

test('it names all recipients of data and the retention period', () => {
  const text = JSON.stringify(privacyNotice)
  expect(text).toContain('Department of National Defense')
  expect(text).toContain('Commission on Higher Education')
  expect(text).toContain('The e-mail provider of the office')
  expect(text).toContain('{years}')
})
