/**
 * The access rule of a route. `public`: no login. `authenticated`: any valid session. Otherwise the
 * application permission, or, if `card` names the path parameter with the id of a card, a stakeholder role on
 * that card, or an inherited one above it, that grants `cardPermission`. With `anyCard` the cards are in the body: a caller without the
 * permission is accepted if a stakeholder role on any card grants it, and the service checks the actual cards.
 */
export type Access =
  | 'public'
  | 'authenticated'
  | { permission: string; card?: undefined; cardPermission?: undefined; anyCard?: string }
  | { permission: string; card: string; cardPermission: string; anyCard?: undefined };

/** A permission key with its description, for the catalogue. */
export interface PermissionDeclaration {
  key: string;
  description: string;
  /** System roles that hold it from the start; `admin` holds everything. */
  roles: readonly ('architect' | 'member' | 'viewer')[];
}
