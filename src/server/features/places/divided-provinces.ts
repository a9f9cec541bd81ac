/**
 * Republic Act 11550, ratified in the plebiscite of 17 September 2022, divided Maguindanao. These municipalities,
 * as the data package spells them, went to the northern province; Cotabato City, which belongs to no province,
 * lies in it. All others went to the southern one.
 */
const maguindanaoDelNorte = new Set([
  'Barira',
  'Buldon',
  'Cotabato City',
  'Datu Blah T. Sinsuat',
  'Datu Odin Sinsuat (Dinaig)',
  'Kabuntulan',
  'Matanog',
  'Northern Kabuntalan',
  'Parang',
  'Sultan Kudarat',
  'Sultan Mastura',
  'Sultan Sumagka (formerly Talitay)',
  'Upi',
])

/** The province of today for a municipality whose province was divided after the data package was written. */
export function provinceToday(municipality: string, province: string): string {
  if (province !== 'Maguindanao') return province
  return maguindanaoDelNorte.has(municipality) ? 'Maguindanao del Norte' : 'Maguindanao del Sur'
}
