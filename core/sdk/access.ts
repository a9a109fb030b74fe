/**
 * What a route requires of its caller. `public`: no login. `authenticated`: any valid session. Otherwise the
 * application permission, or, where `card` names the path parameter that holds a card's id, a stakeholder role on
 * that card, or an inherited one above it, that grants `cardPermission`. With `anyCard` the cards are in the body: a caller without the permission
 * passes where a stakeholder role on some card grants it, and the service checks the cards themselves.
 */
export type Access =
  | 'public'
  | 'authenticated'
  | { permission: string; card?: undefined; cardPermission?: undefined; anyCard?: string }
  | { permission: string; card: string; cardPermission: string; anyCard?: undefined };

/** A permission key with what it lets its holder do, for the catalogue. */
export interface PermissionDeclaration {
  key: string;
  description: string;
  /** System roles that hold it from the start; `admin` holds everything. */
  roles: readonly ('architect' | 'member' | 'viewer')[];
}
