import type { Place } from '#server/features/places/postal-codes.ts'
import { barangays, mailDomains, mobilePrefixes, streets, subdivisions } from './life-data.ts'
import type { Random } from './random.ts'

/** A house number, street and barangay, in one of the ways people give them. */
export function generateAddress(random: Random): string {
  const barangay = random.pick(barangays)
  const street = random.pick(streets)
  return random.weigh([
    [`${random.integer(1, 480)} ${street} St., Brgy. ${barangay}`, 4],
    [
      `Blk ${random.integer(1, 90)} Lot ${random.integer(1, 60)}, ${random.pick(subdivisions)}, Brgy. ${barangay}`,
      4,
    ],
    [`Purok ${random.integer(1, 8)}, Brgy. ${barangay}`, 2],
    [`#${random.integer(1, 300)}-${random.pick(['A', 'B', 'C'])} ${street} Street, ${barangay}`, 2],
    [
      `Unit ${random.integer(101, 940)}, ${random.pick(subdivisions)} Bldg. ${random.integer(1, 12)}, ${street} Ave. cor. ${random.pick(streets)} St., Brgy. ${barangay} (near the covered court)`,
      1,
    ],
  ])
}

/** A town as people give it: alone, with its province, or in capitals. */
export function writePlace(random: Random, { municipality, province }: Place): string {
  return random.weigh([
    [municipality, 5],
    [`${municipality}, ${province}`, 4],
    [municipality.toUpperCase(), 1],
  ])
}

/** A mobile number in one of the ways people write them, sometimes a landline. */
export function generatePhone(random: Random): string {
  const prefix = random.pick(mobilePrefixes)
  const line = random.digits(4)
  const local = prefix.slice(1)
  return random.weigh([
    [`${prefix}555${line}`, 10],
    [`${prefix} 555 ${line}`, 5],
    [`${prefix}-555-${line}`, 3],
    [`+63${local}555${line}`, 3],
    [`+63 ${local} 555 ${line}`, 2],
    [`(${prefix}) 555-${line}`, 1],
    [`+63 (${local}) 555-${line}`, 1],
    [`(02) 8555-${line}`, 0.5],
  ])
}

/** An address of its own for every index, at a domain that belongs to nobody. */
export function generateEmail(
  random: Random,
  index: number,
  { firstName, lastName }: { firstName: string; lastName: string },
): string {
  const first = plain(firstName)
  const last = plain(lastName)
  const local = random.weigh([
    [`${first}.${last}`, 4],
    [`${first}${last}`, 3],
    [`${last}.${first}`, 2],
    [`${first.slice(0, 1)}${last}`, 1],
    [`${first}_${last}`, 1],
  ])
  return `${local}${index + 1}@${random.pick(mailDomains)}`
}

/** Letters and digits without accents, as they may stand before the @. */
function plain(name: string): string {
  return name
    .normalize('NFD')
    .replace(/[^A-Za-z0-9]/g, '')
    .toLowerCase()
}
