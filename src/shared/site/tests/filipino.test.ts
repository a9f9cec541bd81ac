import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { mySentences } from '#shared/my/my.ts'
import { monthNames } from '#shared/program-calendar.ts'
import { studentRequestSchema } from '#shared/requests/student-requests.ts'
import { defaultSettings } from '#shared/settings/settings.ts'
import { fieldWords, studentFieldNames } from '#shared/students/student-fields.ts'
import filipino from '../filipino.json' with { type: 'json' }
import { languageOf } from '../language.ts'
import { placeholder, translate } from '../translation.ts'

describe('the Filipino words', () => {
  test('translate only texts that the product has', () => {
    const source = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|json)$/.test(name) && !name.includes('filipino'))
      .map((name) => readFileSync(`src/${name}`, 'utf8'))
      .join('\n')
      // Texts over several lines, and quotes in texts.
      .replace(/\s+/g, ' ')
      .replaceAll("' + '", '')
      .replaceAll("\\'", "'")
    const made = new Set([
      ...studentFieldNames.map(fieldWords),
      ...monthNames,
      'You must be at least 16 years old to register.',
      // Subjects of mail to a student, which end with the school where it has a name.
      ...['Welcome to NSTP', 'Your code for NSTP', 'Your reference code for NSTP'].map(
        (subject) => `${subject} at {school}`,
      ),
    ])
    const unused = Object.values(filipino)
      .flatMap((words) => Object.keys(words))
      .filter((text) => !made.has(text))
      .filter((text) => text.split(/\{\w+\}/).some((part) => !source.includes(part)))
    expect(unused).toEqual([])
  })

  test('have the placeholders of their texts', () => {
    const namesOf = (text: string) => [...new Set(text.match(placeholder))].sort()
    for (const [english, translated] of Object.values(filipino).flatMap((words) => Object.entries(words))) {
      expect(namesOf(translated), english).toEqual(namesOf(english))
    }
  })
})

test('how long to wait is said in Filipino with its reason', () => {
  const sentence = `${mySentences.network} Please try again in 9 minutes.`
  const reason = translate(mySentences.network, filipino['/my'])
  expect(translate(sentence, filipino['/my'])).toBe(`${reason} Subukan muli pagkaraan ng 9 minuto.`)
})

test('what a student must mend in a reason is said in Filipino', () => {
  const request = { kind: 'blocking', changes: {} }
  const words = { ...filipino['/register /my'], ...filipino['/my'] }
  for (const reason of ['a\u0000b', 'x'.repeat(501)]) {
    const { error } = studentRequestSchema.safeParse({ ...request, reason })
    const said = error?.issues.map(({ message }) => translate(message, words))
    expect(said).toEqual([expect.stringMatching(/^(Alisin|Paikliin) .*dahilan/)])
  }
})

test('a closed form says so in Filipino until the office words it', () => {
  const { message } = defaultSettings.enlistment
  expect(translate(message, filipino[''])).not.toBe(message)
})

describe('a translation', () => {
  const words = {
    'Please fill in the {field} field.': 'Pakilagay ang {field}.',
    'last name': 'apelyido',
    '{n} of {m}': '{n} sa {m}',
  }

  test.each([
    ['last name', 'apelyido'],
    ['Please fill in the last name field.', 'Pakilagay ang apelyido.'],
    ['Please fill in the shoe size field.', 'Pakilagay ang shoe size.'],
    ['3 of 17', '3 sa 17'],
    ['$& of {m}', '$& sa {m}'],
    ['constructor', 'constructor'],
    ['Something new', 'Something new'],
  ])('of %j is %j', (text, translated) => {
    expect(translate(text, words)).toBe(translated)
    expect(translate(text, null)).toBe(text)
  })
})

test('dates in sentences are in Filipino', () => {
  expect(translate('Enlist until June 30, 2026 at 5:00 PM.', filipino[''])).toBe(
    'Mag-enlist hanggang Hunyo 30, 2026, 5:00 PM.',
  )
})

test.each([
  [undefined, 'en-PH,en;q=0.9', 'en'],
  [undefined, 'fil-PH,en;q=0.9', 'fil'],
  [undefined, 'tl', 'fil'],
  [undefined, 'en-US,fil;q=0.9', 'en'],
  [undefined, undefined, 'en'],
  ['theme=dark; nstp-language=fil', 'en', 'fil'],
  ['nstp-language=en', 'fil-PH', 'en'],
  ['nstp-language=xx', 'fil-PH', 'fil'],
])('with the cookie %s and the languages %s the page is in %s', (cookies, accepted, language) => {
  expect(languageOf(cookies, accepted)).toBe(language)
})
