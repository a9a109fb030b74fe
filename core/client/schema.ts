// Made from the OpenAPI document of the service by `node dist/test/docs.js --write`; do not edit.

export interface paths {
  "/auth/register": {
    /**
    * Register
    * @description The first user becomes the administrator; from another machine than that of the service this requires the one-time `setup_code` from its log. Other users can register only if the workspace allows it.
    */
    post: operations["register"];
  };
  "/auth/login": {
    /**
    * Log in
    * @description After five wrong passwords within 15 minutes from one address, further attempts on the account from that address are refused for 15 minutes; after 20 from all addresses without a log-in to the account in the last 30 days, attempts from such addresses are refused. The workspace setting `login_limits` can change the numbers. The response is the same in every case.
    */
    post: operations["login"];
  };
  "/auth/refresh": {
    /**
    * Prolong a session
    * @description With a refresh token, which can be used only once, or with a valid bearer token, for which only an access token is issued. A refresh token used twice ends the session. The end time of the session does not change.
    */
    post: operations["refresh"];
  };
  "/auth/logout": {
    /**
    * Log out
    * @description Ends the session on every node within a second.
    *
    *     Requires a session: an API token gets `session_required`.
    */
    post: operations["logout"];
  };
  "/auth/me": {
    /** The caller */
    get: operations["getMe"];
    /**
    * Change the caller’s own profile
    * @description Requires a session: an API token gets `session_required`.
    */
    patch: operations["updateMe"];
  };
  "/auth/change-password": {
    /**
    * Change the caller’s own password
    * @description Ends all other sessions. Wrong passwords are counted for the session, see `login_limits`.
    *
    *     Requires a session: an API token gets `session_required`.
    */
    post: operations["changePassword"];
  };
  "/auth/sessions": {
    /**
    * Active sessions of the caller
    * @description Requires a session: an API token gets `session_required`.
    */
    get: operations["listSessions"];
  };
  "/auth/sessions/{id}": {
    /**
    * End a session of the caller
    * @description Requires a session: an API token gets `session_required`.
    */
    delete: operations["endSession"];
  };
  "/auth/tokens": {
    /**
    * Active API tokens of the caller
    * @description Requires a session: an API token gets `session_required`.
    */
    get: operations["listTokens"];
    /**
    * Make an API token
    * @description A token for programs, which acts as the caller with the given permissions as far as the caller has them, until it expires or is revoked. It cannot manage accounts, passwords, sessions, tokens and webhooks.
    *
    *     Requires a session: an API token gets `session_required`.
    */
    post: operations["createToken"];
  };
  "/auth/tokens/{id}": {
    /**
    * An active API token of the caller
    * @description Requires a session: an API token gets `session_required`.
    */
    get: operations["getToken"];
    /**
    * Revoke an API token of the caller
    * @description Effective on every node within a second, also for open event streams.
    *
    *     Requires a session: an API token gets `session_required`.
    */
    delete: operations["revokeToken"];
  };
  "/auth/accept-invitation": {
    /**
    * Accept an invitation
    * @description Creates the account and logs it in.
    */
    post: operations["acceptInvitation"];
  };
  "/auth/forgot-password": {
    /**
    * Request a new password
    * @description Mails a link that is valid for an hour and works once, if an active account of a person with a local password has the address; at most three in an hour for each account. The response is the same in every case, after the same time.
    */
    post: operations["forgotPassword"];
  };
  "/auth/reset-password": {
    /**
    * Set a new password by a link
    * @description Ends all sessions of the account and clears its failed log-ins.
    */
    post: operations["resetPassword"];
  };
  "/auth/email-change": {
    /**
    * The change of the caller’s e-mail address that is to be confirmed
    * @description Requires a session: an API token gets `session_required`.
    */
    get: operations["getEmailChange"];
    /**
    * Change the caller’s own e-mail address
    * @description Mails a link to the current and to the new address, valid for a day. The address is changed when both were used; both mails also have a link that withdraws the change. At most three requests in an hour.
    *
    *     Requires a session: an API token gets `session_required`.
    */
    post: operations["requestEmailChange"];
    /**
    * Withdraw the change of the caller’s e-mail address
    * @description Requires a session: an API token gets `session_required`.
    */
    delete: operations["withdrawEmailChange"];
  };
  "/auth/email-change/confirm": {
    /** Confirm a change of an e-mail address by a link */
    post: operations["confirmEmailChange"];
  };
  "/auth/email-change/withdraw": {
    /** Withdraw a change of an e-mail address by a link */
    post: operations["withdrawEmailChangeByLink"];
  };
  "/users": {
    /**
    * Users
    * @description Needs the permission `users.manage`.
    */
    get: operations["listUsers"];
    /**
    * Create a user
    * @description Without a password the account cannot log in until one is set.
    *
    *     Requires a session: an API token gets `session_required`.
    *
    *     Needs the permission `users.manage`.
    */
    post: operations["createUser"];
  };
  "/users/directory": {
    /**
    * Active users by name
    * @description For every user, to select people.
    */
    get: operations["listUserDirectory"];
  };
  "/users/{id}": {
    /**
    * A user
    * @description Needs the permission `users.manage`.
    */
    get: operations["getUser"];
    /**
    * Delete a user
    * @description Needs the permission `users.manage`.
    */
    delete: operations["deleteUser"];
    /**
    * Change a user
    * @description Deactivation and a new password end the sessions of the user. Activation and a new password also unlock. An API token gets `session_required` for changes of `role`, `email` and `password`, and for activation.
    *
    *     Needs the permission `users.manage`.
    */
    patch: operations["updateUser"];
  };
  "/users/{id}/unlock": {
    /**
    * Unlock a user
    * @description Clears the failed log-ins of the account, so that log-ins are no longer refused (`login_limits`).
    *
    *     Needs the permission `users.manage`.
    */
    post: operations["unlockUser"];
  };
  "/users/invitations": {
    /**
    * Invitations
    * @description Those that have ended are kept for 90 days.
    *
    *     Needs the permission `users.manage`.
    */
    get: operations["listInvitations"];
    /**
    * Invite a person
    * @description Mails a link that is valid for seven days and works once. The role must not have permissions that the caller does not have; this is checked again when the invitation is accepted.
    *
    *     Requires a session: an API token gets `session_required`.
    *
    *     Needs the permission `users.manage`.
    */
    post: operations["createInvitation"];
  };
  "/users/invitations/{id}/resend": {
    /**
    * Send an invitation again
    * @description With a new link, valid for seven days. Earlier links end, and the caller becomes the user who invites.
    *
    *     Requires a session: an API token gets `session_required`.
    *
    *     Needs the permission `users.manage`.
    */
    post: operations["resendInvitation"];
  };
  "/users/invitations/{id}": {
    /**
    * Withdraw an invitation
    * @description Requires a session: an API token gets `session_required`.
    *
    *     Needs the permission `users.manage`.
    */
    delete: operations["withdrawInvitation"];
  };
  "/auth/sso/config": {
    /**
    * Providers of single sign-on
    * @description What a login page needs.
    */
    get: operations["getSsoConfig"];
  };
  "/auth/sso/{provider}/login": {
    /**
    * Begin a sign-in by a provider
    * @description For browsers: redirects to the provider. Afterwards the browser is sent to `return_to` with the parameter `code`, for `POST /auth/sso/token`, or with `error=sso_failed`; the log has the reason.
    */
    get: operations["beginSso"];
  };
  "/auth/sso/callback": {
    /**
    * Return from a provider
    * @description The redirect URI to be registered at every provider: `PUBLIC_URL` followed by this path.
    */
    get: operations["completeSso"];
  };
  "/auth/sso/token": {
    /**
    * Exchange the code of a sign-in for a session
    * @description Within 60 seconds, once, by the browser that began: with its cookie, or with the `code_verifier` of the `code_challenge`. The response is that of a log-in.
    */
    post: operations["exchangeSsoCode"];
  };
  "/auth/sso/logout": {
    /**
    * Where the browser logs out at the provider
    * @description A client reads this, ends the session by `POST /auth/logout`, and sends the browser to `logout_url`, from where it returns to `return_to`; the provider has to know that address.
    *
    *     Requires a session: an API token gets `session_required`.
    */
    get: operations["getSsoLogout"];
  };
  "/users/{user_id}/identities": {
    /**
    * Identities of a user for single sign-on
    * @description Requires a session: an API token gets `session_required`.
    *
    *     Needs the permission `users.manage`.
    */
    get: operations["listUserIdentities"];
    /**
    * Link an identity to a user
    * @description The identity, by issuer and `sub`, signs in as the user from now on. The password of the user is removed, and the sessions end. The caller must have every permission of the user, and of the roles that sign-ins at the provider give by groups.
    *
    *     Requires a session: an API token gets `session_required`.
    *
    *     Needs the permission `users.manage`.
    */
    post: operations["linkUserIdentity"];
  };
  "/users/{user_id}/identities/{id}": {
    /**
    * Unlink an identity from a user
    * @description Ends the sessions of the user. Without another identity, the API tokens end too, and the account is a local one, which has no password until an administrator sets one, or the user by a mailed link.
    *
    *     Requires a session: an API token gets `session_required`.
    *
    *     Needs the permission `users.manage`.
    */
    delete: operations["unlinkUserIdentity"];
  };
  "/users/{user_id}/tokens": {
    /**
    * Active API tokens of a user
    * @description Requires a session: an API token gets `session_required`.
    *
    *     Needs the permission `users.manage`.
    */
    get: operations["listUserTokens"];
    /**
    * Make an API token of a service account
    * @description The caller must have every permission that the token gets. Tokens of persons are made by these persons.
    *
    *     Requires a session: an API token gets `session_required`.
    *
    *     Needs the permission `users.manage`.
    */
    post: operations["createUserToken"];
  };
  "/users/{user_id}/tokens/{id}": {
    /**
    * Revoke an API token of a user
    * @description Effective on every node within a second, also for open event streams.
    *
    *     Requires a session: an API token gets `session_required`.
    *
    *     Needs the permission `users.manage`.
    */
    delete: operations["revokeUserToken"];
  };
  "/roles": {
    /**
    * Roles
    * @description Needs the permission `roles.manage`.
    */
    get: operations["listRoles"];
    /**
    * Create a role
    * @description A caller can include only permissions that the caller has.
    *
    *     Requires a session: an API token gets `session_required`.
    *
    *     Needs the permission `roles.manage`.
    */
    post: operations["createRole"];
  };
  "/roles/permissions": {
    /**
    * All permissions
    * @description Of the core and of every installed module.
    *
    *     Needs the permission `roles.manage`.
    */
    get: operations["listPermissions"];
  };
  "/roles/{key}": {
    /**
    * A role
    * @description Needs the permission `roles.manage`.
    */
    get: operations["getRole"];
    /**
    * Change a role
    * @description Takes effect for all users with the role, on every node within a second. An API token gets `session_required` for changes of `permissions`, `types` and `is_default`.
    *
    *     Needs the permission `roles.manage`.
    */
    patch: operations["updateRole"];
  };
  "/roles/{key}/archive": {
    /**
    * Archive a role, so that it cannot be assigned any more
    * @description Needs the permission `roles.manage`.
    */
    post: operations["archiveRole"];
  };
  "/roles/{key}/restore": {
    /**
    * Restore an archived role
    * @description Requires a session: an API token gets `session_required`.
    *
    *     Needs the permission `roles.manage`.
    */
    post: operations["restoreRole"];
  };
  "/roles/explain": {
    /**
    * Why a user has a permission, or not
    * @description By the role of the user, its rules per card type and, for a card, stakeholder roles.
    *
    *     Needs the permission `roles.manage`.
    */
    get: operations["explainPermission"];
  };
  "/users/{user_id}/permissions": {
    /**
    * All permissions that a user has
    * @description By role and by stakeholder roles; none for a deactivated account. What is hidden from the caller is left out.
    *
    *     Needs the permission `users.manage`.
    */
    get: operations["listUserPermissions"];
  };
  "/metamodel/types/{key}/stakeholder-roles": {
    /** Stakeholder roles of a card type */
    get: operations["listStakeholderRoles"];
    /**
    * Add a stakeholder role to a card type
    * @description The type gets a new version. The caller must have all permissions that the role grants.
    *
    *     Needs the permission `metamodel.manage`.
    */
    post: operations["createStakeholderRole"];
  };
  "/metamodel/types/{key}/stakeholder-roles/{role}": {
    /** A stakeholder role of a card type */
    get: operations["getStakeholderRole"];
    /**
    * Remove an unassigned stakeholder role
    * @description Needs the permission `metamodel.manage`.
    */
    delete: operations["deleteStakeholderRole"];
    /**
    * Change a stakeholder role by merge patch
    * @description If-Match contains the version of the type. The caller must have all permissions that the change grants or revokes.
    *
    *     Needs the permission `metamodel.manage`.
    */
    patch: operations["updateStakeholderRole"];
  };
  "/metamodel/tag-groups": {
    /** Tag groups with their tags */
    get: operations["listTagGroups"];
    /**
    * Create a tag group
    * @description Needs the permission `tags.manage`.
    */
    post: operations["createTagGroup"];
  };
  "/metamodel/tag-groups/{id}": {
    /** A tag group with its tags */
    get: operations["getTagGroup"];
    /**
    * Delete a tag group whose tags are not in use
    * @description Needs the permission `tags.manage`.
    */
    delete: operations["deleteTagGroup"];
    /**
    * Change a tag group by merge patch
    * @description Tags in use by cards cannot be disallowed: 409 `in_use` with `counts`.
    *
    *     Needs the permission `tags.manage`.
    */
    patch: operations["updateTagGroup"];
  };
  "/metamodel/tag-groups/{id}/tags": {
    /** Tags of a group */
    get: operations["listTags"];
    /**
    * Add a tag to a group
    * @description Needs the permission `tags.manage`.
    */
    post: operations["createTag"];
  };
  "/metamodel/tag-groups/{id}/tags/{tag_id}": {
    /** A tag */
    get: operations["getTag"];
    /**
    * Delete an unused tag
    * @description Needs the permission `tags.manage`.
    */
    delete: operations["deleteTag"];
    /**
    * Change a tag by merge patch
    * @description Needs the permission `tags.manage`.
    */
    patch: operations["updateTag"];
  };
  "/metamodel/types": {
    /** Card types */
    get: operations["listCardTypes"];
    /**
    * Create a card type
    * @description Needs the permission `metamodel.manage`.
    */
    post: operations["createCardType"];
  };
  "/metamodel/types/{key}": {
    /** A card type */
    get: operations["getCardType"];
    /**
    * Delete an unused card type
    * @description Needs the permission `metamodel.manage`.
    */
    delete: operations["deleteCardType"];
    /**
    * Change a card type by merge patch
    * @description Values in use by cards cannot be removed: 409 `in_use` with `counts`. Changing what stakeholder roles grant, or making a cost field another kind, requires those permissions.
    *
    *     Needs the permission `metamodel.manage`.
    */
    patch: operations["updateCardType"];
  };
  "/metamodel/types/{key}/usage": {
    /**
    * Number of cards that use each part of a card type
    * @description Needs the permission `cards.view`.
    */
    get: operations["getCardTypeUsage"];
  };
  "/metamodel/relation-types": {
    /** Relation types */
    get: operations["listRelationTypes"];
    /**
    * Create a relation type
    * @description Needs the permission `metamodel.manage`.
    */
    post: operations["createRelationType"];
  };
  "/metamodel/relation-types/{key}": {
    /** A relation type */
    get: operations["getRelationType"];
    /**
    * Delete a relation type without relations
    * @description Needs the permission `metamodel.manage`.
    */
    delete: operations["deleteRelationType"];
    /**
    * Change a relation type by merge patch
    * @description Values in use by relations cannot be removed: 409 `in_use` with `counts`.
    *
    *     Needs the permission `metamodel.manage`.
    */
    patch: operations["updateRelationType"];
  };
  "/metamodel/revisions": {
    /** Changes of the metamodel, the latest first */
    get: operations["listMetamodelRevisions"];
  };
  "/cards": {
    /**
    * Cards, filtered, sorted, by page or cursor
    * @description Attribute filters are query parameters as well: `attributes.<key>` (any of several comma-separated values), and with an operator in brackets `[ne]`, `[gt]`, `[gte]`, `[lt]`, `[lte]`, `[contains]`, `[empty]`, such as `attributes.numberOfUsers[gte]=100`. Dates of the life cycle are filtered by `lifecycle.<phase>` with `[gt]`, `[gte]`, `[lt]`, `[lte]`, `[empty]`, such as `lifecycle.endOfLife[lt]=2027-01-01`, and `lifecycle[empty]`.
    *
    *     Needs the permission `cards.view`.
    */
    get: operations["listCards"];
    /**
    * Create a card
    * @description Needs the permission `cards.create`.
    */
    post: operations["createCard"];
  };
  "/cards/facets": {
    /**
    * How many cards of the filters there are, by type, status, tag and select field
    * @description Attribute filters are query parameters as well: `attributes.<key>` (any of several comma-separated values), and with an operator in brackets `[ne]`, `[gt]`, `[gte]`, `[lt]`, `[lte]`, `[contains]`, `[empty]`, such as `attributes.numberOfUsers[gte]=100`. Dates of the life cycle are filtered by `lifecycle.<phase>` with `[gt]`, `[gte]`, `[lt]`, `[lte]`, `[empty]`, such as `lifecycle.endOfLife[lt]=2027-01-01`, and `lifecycle[empty]`.
    *
    *     Needs the permission `cards.view`.
    */
    get: operations["getCardFacets"];
  };
  "/cards/{id}/hierarchy": {
    /**
    * The ancestors and descendants of a card
    * @description Needs the permission `cards.view`.
    */
    get: operations["getCardHierarchy"];
  };
  "/cards/{id}": {
    /**
    * A card
    * @description Needs the permission `cards.view`.
    */
    get: operations["getCard"];
    /**
    * Delete a card and its relations
    * @description Needs the permission `cards.delete`.
    */
    delete: operations["deleteCard"];
    /**
    * Change a card by merge patch or JSON Patch
    * @description Needs the permission `cards.edit`, or `card.edit` as a stakeholder of the card.
    */
    patch: operations["updateCard"];
  };
  "/cards/bulk": {
    /**
    * Up to 10,000 operations in one transaction
    * @description Needs the permission `cards.bulk`.
    */
    post: operations["bulkCards"];
  };
  "/cards/{id}/archive": {
    /**
    * Archive a card
    * @description If the card has children, `child_strategy` is required.
    *
    *     Needs the permission `cards.archive`, or `card.archive` as a stakeholder of the card.
    */
    post: operations["archiveCard"];
  };
  "/cards/{id}/restore": {
    /**
    * Restore an archived card
    * @description Needs the permission `cards.archive`, or `card.archive` as a stakeholder of the card.
    */
    post: operations["restoreCard"];
  };
  "/cards/{id}/archive-impact": {
    /**
    * The effects of archiving a card
    * @description Needs the permission `cards.view`.
    */
    get: operations["getArchiveImpact"];
  };
  "/cards/{id}/approval": {
    /**
    * Approve, reject or reset a card
    * @description Needs the permission `cards.approve`, or `card.approve` as a stakeholder of the card.
    */
    post: operations["decideCard"];
  };
  "/cards/{id}/stakeholders": {
    /**
    * Stakeholders of a card
    * @description Needs the permission `stakeholders.view`.
    */
    get: operations["listCardStakeholders"];
    /**
    * Add a stakeholder to a card
    * @description The caller must have everything on the card that the role grants.
    *
    *     Needs the permission `stakeholders.manage`, or `card.manage_stakeholders` as a stakeholder of the card.
    */
    post: operations["addCardStakeholder"];
  };
  "/cards/{id}/stakeholders/{sid}": {
    /**
    * A stakeholder of a card
    * @description Needs the permission `stakeholders.view`.
    */
    get: operations["getCardStakeholder"];
    /**
    * Remove a stakeholder from a card
    * @description The caller must have everything on the card that the role grants, possibly by the role itself.
    *
    *     Needs the permission `stakeholders.manage`, or `card.manage_stakeholders` as a stakeholder of the card.
    */
    delete: operations["removeCardStakeholder"];
  };
  "/cards/export": {
    /**
    * All matching cards as a file, streamed
    * @description The filters of `GET /cards`; ordered by id, from one snapshot. In CSV an apostrophe is added before a cell that a spreadsheet would run as a formula; an import removes it.
    *
    *     Needs the permission `cards.export`.
    */
    get: operations["exportCards"];
  };
  "/cards/{id}/impact": {
    /**
    * The cards that depend on a card, with paths
    * @description Follows relations between active cards. A relation that ended before today (UTC) is not followed; one that begins in the future is. Also requires `relations.view`.
    *
    *     Needs the permission `cards.view`.
    */
    get: operations["getCardImpact"];
  };
  "/cards/{id}/sections": {
    /**
    * Sections that modules add to a card
    * @description Sections of the enabled modules that the caller may see. A section that cannot be loaded is marked as unavailable and does not affect the others.
    *
    *     Needs the permission `cards.view`.
    */
    get: operations["listCardSections"];
  };
  "/cards/{id}/history": {
    /**
    * The history of a card, the newest change first
    * @description Needs the permission `cards.view`.
    */
    get: operations["listCardHistory"];
  };
  "/cards/{id}/permissions": {
    /**
    * The caller’s permissions on a card, with explanations
    * @description Needs the permission `cards.view`.
    */
    get: operations["getCardPermissions"];
  };
  "/cards/{id}/comments": {
    /**
    * Comments on a card, the oldest first
    * @description Needs the permission `comments.view`.
    */
    get: operations["listCardComments"];
    /**
    * Comment on a card, or reply to a comment
    * @description Needs the permission `comments.create`, or `card.create_comments` as a stakeholder of the card.
    */
    post: operations["createCardComment"];
  };
  "/cards/{id}/comments/{cid}": {
    /**
    * A comment
    * @description Needs the permission `comments.view`.
    */
    get: operations["getCardComment"];
    /**
    * Delete a comment
    * @description The caller’s own comment, for which an API token needs `comments.create`; any comment with `comments.manage`, or with `card.manage_comments` as a stakeholder. A comment with replies is kept without its text until the last reply is deleted.
    *
    *     Needs the permission `comments.view`.
    */
    delete: operations["deleteCardComment"];
    /**
    * Change a comment of the caller
    * @description Needs the permission `comments.create`, or `card.create_comments` as a stakeholder of the card.
    */
    patch: operations["updateCardComment"];
  };
  "/cards/{id}/documents": {
    /**
    * Documents linked to a card
    * @description Needs the permission `documents.view`.
    */
    get: operations["listCardDocuments"];
    /**
    * Link a document to a card
    * @description Needs the permission `documents.manage`, or `card.manage_documents` as a stakeholder of the card.
    */
    post: operations["createCardDocument"];
  };
  "/cards/{id}/documents/{did}": {
    /**
    * A linked document
    * @description Needs the permission `documents.view`.
    */
    get: operations["getCardDocument"];
    /**
    * Remove a link
    * @description Needs the permission `documents.manage`, or `card.manage_documents` as a stakeholder of the card.
    */
    delete: operations["deleteCardDocument"];
    /**
    * Change a link
    * @description Needs the permission `documents.manage`, or `card.manage_documents` as a stakeholder of the card.
    */
    patch: operations["updateCardDocument"];
  };
  "/cards/{id}/tags": {
    /**
    * Tags of a card
    * @description Needs the permission `cards.view`.
    */
    get: operations["listCardTags"];
    /**
    * Replace the tags of a card
    * @description The version of the card and its approval do not change; its score does. `If-Match` contains the version of the card.
    *
    *     Needs the permission `cards.edit`, or `card.edit` as a stakeholder of the card.
    */
    put: operations["replaceCardTags"];
  };
  "/todos": {
    /**
    * To-dos of the caller, the most urgent first
    * @description Needs the permission `todos.own`.
    */
    get: operations["listOwnTodos"];
  };
  "/cards/{id}/todos": {
    /**
    * To-dos of a card
    * @description Needs the permission `todos.own`.
    */
    get: operations["listCardTodos"];
    /**
    * Create a to-do
    * @description Needs the permission `todos.own`.
    */
    post: operations["createCardTodo"];
  };
  "/cards/{id}/todos/{tid}": {
    /**
    * A to-do
    * @description Needs the permission `todos.own`.
    */
    get: operations["getCardTodo"];
    /**
    * Delete a to-do
    * @description Requires `todos.manage`, unless the caller is both creator and assignee.
    *
    *     Needs the permission `todos.own`.
    */
    delete: operations["deleteCardTodo"];
    /**
    * Change a to-do
    * @description Without `todos.manage` the assignee can only open and close it; title and due date can be changed as well if the caller is also its creator.
    *
    *     Needs the permission `todos.own`.
    */
    patch: operations["updateCardTodo"];
  };
  "/relations": {
    /**
    * Relations between active cards
    * @description Needs the permission `relations.view`.
    */
    get: operations["listRelations"];
    /**
    * Relate two cards
    * @description Needs the permission `relations.manage`, or `card.manage_relations` as a stakeholder of the card.
    */
    post: operations["createRelation"];
  };
  "/relations/bulk": {
    /**
    * Up to 10,000 operations in one transaction
    * @description Needs the permission `relations.manage`, or `card.manage_relations` as a stakeholder of the card.
    */
    post: operations["bulkRelations"];
  };
  "/relations/{id}": {
    /**
    * A relation
    * @description Needs the permission `relations.view`.
    */
    get: operations["getRelation"];
    /**
    * Delete a relation
    * @description Needs the permission `relations.manage`, or `card.manage_relations` as a stakeholder of the card.
    */
    delete: operations["deleteRelation"];
    /**
    * Change a relation by merge patch
    * @description Needs the permission `relations.manage`, or `card.manage_relations` as a stakeholder of the card.
    */
    patch: operations["updateRelation"];
  };
  "/imports": {
    /**
    * Imports, the latest first
    * @description Needs the permission `cards.import`.
    */
    get: operations["listImports"];
    /**
    * Upload a file to import
    * @description CSV, NDJSON, ArchiMate exchange XML or a format of a module (`GET /imports/formats`), up to 100 MiB, as the field `file` of a form or as the body itself. It is read in the background; nothing changes before it is applied.
    *
    *     Needs the permission `cards.import`.
    */
    post: operations["createImport"];
  };
  "/imports/formats": {
    /**
    * Import formats
    * @description The formats of the core, and those of the enabled modules.
    *
    *     Needs the permission `cards.import`.
    */
    get: operations["listImportFormats"];
  };
  "/imports/{id}": {
    /**
    * An import with its progress
    * @description Needs the permission `cards.import`.
    */
    get: operations["getImport"];
    /**
    * Delete an import, or stop one that is being applied
    * @description Needs the permission `cards.import`.
    */
    delete: operations["deleteImport"];
  };
  "/imports/{id}/rows": {
    /**
    * The result for each row, as a diff
    * @description Needs the permission `cards.import`.
    */
    get: operations["listImportRows"];
  };
  "/imports/{id}/apply": {
    /**
    * Write the rows in the background
    * @description Runs with the permissions of the caller. Applying the import of another user requires all permissions that its rows need: to see, create or edit cards of each type, to see costs that are set, and to see and manage relations.
    *
    *     Needs the permission `cards.import`.
    */
    post: operations["applyImport"];
  };
  "/events": {
    /**
    * Audit trail, latest first
    * @description Needs the permission `events.audit`.
    */
    get: operations["listEvents"];
  };
  "/events/types": {
    /** Event types, with the schemas of their data */
    get: operations["listEventTypes"];
  };
  "/events/{id}": {
    /**
    * An event of the audit trail
    * @description Needs the permission `events.audit`.
    */
    get: operations["getEvent"];
  };
  "/events/stream-ticket": {
    /**
    * A ticket that opens one event stream
    * @description For browsers, whose EventSource cannot send headers: `GET /events/stream?ticket=…` within 30 seconds, once. The stream has the permissions and expiry of the session and token with which the ticket was requested.
    */
    post: operations["createStreamTicket"];
  };
  "/events/stream": {
    /**
    * Events as they happen, as server-sent events
    * @description CloudEvents 1.0 in JSON. The `id` of each event is its position; a stream opened with it as Last-Event-ID continues after it, if it is still retained. An event `reset` means that the stream cannot continue there: the position is unknown, no longer retained (`expired`) or `lost` by the database. Reload all data, then continue from the position in the event.
    */
    get: operations["streamEvents"];
  };
  "/webhooks": {
    /**
    * Webhooks
    * @description Needs the permission `webhooks.manage`.
    */
    get: operations["listWebhooks"];
    /**
    * Create a webhook
    * @description Events from now on are sent, restricted to what the caller may see, as CloudEvents signed according to Standard Webhooks. Only this response contains the secret; the request does not accept an Idempotency-Key.
    *
    *     Requires a session: an API token gets `session_required`.
    *
    *     Needs the permission `webhooks.manage`.
    */
    post: operations["createWebhook"];
  };
  "/webhooks/{id}": {
    /**
    * A webhook with its state
    * @description Needs the permission `webhooks.manage`.
    */
    get: operations["getWebhook"];
    /**
    * Delete a webhook with its deliveries
    * @description Needs the permission `webhooks.manage`.
    */
    delete: operations["deleteWebhook"];
    /**
    * Change a webhook
    * @description A user who changes `url`, `types` or `conditions` becomes the owner, and so does a user who enables the webhook if its owner may not manage webhooks any more. When it is enabled, pending deliveries are sent.
    *
    *     Requires a session: an API token gets `session_required`.
    *
    *     Needs the permission `webhooks.manage`.
    */
    patch: operations["updateWebhook"];
  };
  "/webhooks/{id}/rotate-secret": {
    /**
    * Replace the secret of a webhook
    * @description For 24 hours messages are also signed with the previous secret. Only this response contains the secret; the request does not accept an Idempotency-Key.
    *
    *     Requires a session: an API token gets `session_required`.
    *
    *     Needs the permission `webhooks.manage`.
    */
    post: operations["rotateWebhookSecret"];
  };
  "/webhooks/{id}/test": {
    /**
    * Send a test event
    * @description Sends an event of type `webhook.test` once, even if the webhook is disabled. If it cannot be delivered, the result is `ok: false` with the reason, not an error.
    *
    *     Needs the permission `webhooks.manage`.
    */
    post: operations["testWebhook"];
  };
  "/webhooks/{id}/deliveries": {
    /**
    * Deliveries of a webhook, the latest first
    * @description Completed deliveries are kept for 30 days.
    *
    *     Needs the permission `webhooks.manage`.
    */
    get: operations["listWebhookDeliveries"];
  };
  "/webhooks/{id}/deliveries/{did}": {
    /**
    * A delivery with its attempts
    * @description Needs the permission `webhooks.manage`.
    */
    get: operations["getWebhookDelivery"];
  };
  "/webhooks/{id}/deliveries/{did}/redeliver": {
    /**
    * Send an event again
    * @description Creates a separate delivery with the same `webhook-id` and the owner’s current permissions; other deliveries of the subject do not wait for it.
    *
    *     Needs the permission `webhooks.manage`.
    */
    post: operations["redeliverWebhookDelivery"];
  };
  "/notifications": {
    /**
    * Notifications of the caller, the latest first
    * @description Without those about subjects that the caller may not see any more.
    *
    *     Needs the permission `notifications.own`.
    */
    get: operations["listNotifications"];
  };
  "/notifications/unread-count": {
    /**
    * Number of unread notifications
    * @description The events `notification.created`, `.updated`, `.read` and `.all_read`, which only the receiver gets, indicate changes.
    *
    *     Needs the permission `notifications.own`.
    */
    get: operations["countUnreadNotifications"];
  };
  "/notifications/read-all": {
    /**
    * Mark all as read
    * @description Needs the permission `notifications.own`.
    */
    post: operations["readAllNotifications"];
  };
  "/notifications/preferences": {
    /**
    * Notification preferences of the caller
    * @description Needs the permission `notifications.own`.
    */
    get: operations["getNotificationPreferences"];
    /**
    * Change notification preferences
    * @description Needs the permission `notifications.own`.
    */
    patch: operations["updateNotificationPreferences"];
  };
  "/notifications/{id}": {
    /**
    * A notification
    * @description Needs the permission `notifications.own`.
    */
    get: operations["getNotification"];
  };
  "/notifications/{id}/read": {
    /**
    * Mark a notification as read
    * @description Needs the permission `notifications.own`.
    */
    post: operations["readNotification"];
  };
  "/settings/logo": {
    /**
    * The logo of the workspace
    * @description Public; 404 if there is none.
    */
    get: operations["getLogo"];
    /**
    * Set the logo
    * @description PNG, JPEG, WebP, GIF or SVG up to 1 MiB, as the body itself. The type is determined from the bytes. An SVG with scripts, foreign content or external references is rejected.
    *
    *     Needs the permission `settings.manage`.
    */
    put: operations["setLogo"];
    /**
    * Remove the logo
    * @description Needs the permission `settings.manage`.
    */
    delete: operations["deleteLogo"];
  };
  "/settings/smtp": {
    /**
    * Mail settings
    * @description Needs the permission `settings.manage`.
    */
    get: operations["getSmtpSettings"];
    /**
    * Change mail settings
    * @description The password is stored encrypted and never shown. With another host, or with encryption switched off, it must be sent again.
    *
    *     Requires a session: an API token gets `session_required`.
    *
    *     Needs the permission `settings.manage`.
    */
    patch: operations["updateSmtpSettings"];
  };
  "/settings/smtp/test": {
    /**
    * Send a mail to the caller
    * @description If the mail cannot be sent, the result is `ok: false` with the reason, not an error.
    *
    *     Needs the permission `settings.manage`.
    */
    post: operations["testSmtpSettings"];
  };
  "/settings/sso": {
    /**
    * Settings of single sign-on
    * @description Needs the permission `settings.manage`.
    */
    get: operations["getSsoSettings"];
    /**
    * Change the settings of single sign-on
    * @description Secrets are stored encrypted and never shown. If the issuer of a provider changes, its secret must be sent again. The caller must have every permission of the roles that sign-ins give, and of the accounts at the providers.
    *
    *     Requires a session: an API token gets `session_required`.
    *
    *     Needs the permission `settings.manage`.
    */
    patch: operations["updateSsoSettings"];
  };
  "/settings/sso/test": {
    /**
    * Test a provider of single sign-on
    * @description Reads the metadata and keys of the provider. If they cannot be used, the result is `ok: false` with the reason, not an error.
    *
    *     Needs the permission `settings.manage`.
    */
    post: operations["testSsoSettings"];
  };
  "/settings/ai": {
    /**
    * Settings of the language model
    * @description Needs the permission `settings.manage`.
    */
    get: operations["getAiSettings"];
    /**
    * Change the settings of the language model
    * @description The key is stored encrypted and never shown. If the destination changes, it must be sent again.
    *
    *     Needs the permission `settings.manage`.
    */
    patch: operations["updateAiSettings"];
  };
  "/settings/ai/test": {
    /**
    * Test the connection to the language model
    * @description If the model does not respond, the result is `ok: false` with the reason, not an error. The provider may charge for the call: it counts to `monthly_spend_cap`, is not sent if it could exceed it, and is among `GET /settings/ai/calls`.
    *
    *     Needs the permission `settings.manage`.
    */
    post: operations["testAiSettings"];
  };
  "/settings/ai/usage": {
    /**
    * Usage of the language model in this month
    * @description Needs the permission `settings.manage`.
    */
    get: operations["getAiUsage"];
  };
  "/settings/ai/calls": {
    /**
    * Requests to the language model, latest first
    * @description Needs the permission `events.audit`.
    */
    get: operations["listAiCalls"];
  };
  "/settings/ai/calls/{id}": {
    /**
    * A request to the language model, with prompt and answer
    * @description Modules remove costs and persons before a prompt is sent. Prompt and answer are shown only to callers who see all cards, since they have texts of cards, and so is `detail`, since a provider may repeat the prompt in it.
    *
    *     Needs the permission `events.audit`.
    */
    get: operations["getAiCall"];
  };
  "/settings": {
    /**
    * General settings
    * @description Without `settings.manage` only the settings that a login page needs.
    */
    get: operations["getSettings"];
    /**
    * Change general settings
    * @description Needs the permission `settings.manage`.
    */
    patch: operations["updateSettings"];
  };
  "/settings/modules": {
    /**
    * Modules
    * @description Needs the permission `settings.manage`.
    */
    get: operations["listModules"];
  };
  "/settings/modules/rescan": {
    /**
    * Scan for installed modules
    * @description Loads new and updated modules without a restart, on every node: the current app keeps serving until a new one has been built.
    *
    *     Needs the permission `modules.manage`.
    */
    post: operations["rescanModules"];
  };
  "/settings/modules/install": {
    /**
    * Install a package as a module
    * @description The package must lie where the service finds modules. Every node loads it, now and at each start, until its data is deleted.
    *
    *     Requires a session: an API token gets `session_required`.
    *
    *     Needs the permission `modules.manage`.
    */
    post: operations["installModule"];
  };
  "/settings/modules/{id}": {
    /**
    * A module
    * @description Needs the permission `settings.manage`.
    */
    get: operations["getModule"];
    /**
    * Delete the data of a module
    * @description Permanently deletes its tables, settings, secrets, files and permissions. The module must be disabled; it remains installed, as when it was first found. `confirm` repeats its id, and `If-Match` contains its version.
    *
    *     Needs the permission `modules.manage`.
    */
    delete: operations["removeModule"];
    /**
    * Enable or disable a module, or change its settings
    * @description Takes effect on all nodes within a second, without a restart. While a module is disabled, its paths are unknown, its jobs and subscriptions are paused and its data is kept. Enabling a module may give its permissions to roles, for which an API token gets `session_required`.
    *
    *     Needs the permission `modules.manage`.
    */
    patch: operations["updateModule"];
  };
  "/settings/modules/{id}/subscriptions": {
    /**
    * Positions of the subscriptions of a module
    * @description Needs the permission `settings.manage`.
    */
    get: operations["listModuleSubscriptions"];
  };
  "/settings/modules/{id}/parked-events": {
    /**
    * Parked events of the subscriptions of a module
    * @description Needs the permission `settings.manage`.
    */
    get: operations["listParkedEvents"];
  };
  "/settings/modules/{id}/parked-events/{subscription}/{position}/retry": {
    /**
    * Retry a parked event
    * @description Executed by the node that runs the subscription. If it fails again, it remains parked.
    *
    *     Needs the permission `modules.manage`.
    */
    post: operations["retryParkedEvent"];
  };
  "/settings/jobs": {
    /**
    * Jobs, the latest first
    * @description Needs the permission `jobs.manage`.
    */
    get: operations["listJobs"];
  };
  "/settings/jobs/summary": {
    /**
    * Number of queued, running and failed jobs by type
    * @description Includes every type with a handler and every type that has jobs. Done and cancelled jobs are not counted.
    *
    *     Needs the permission `jobs.manage`.
    */
    get: operations["summariseJobs"];
  };
  "/settings/jobs/retry": {
    /**
    * Retry failed or cancelled jobs
    * @description Jobs of one type or of all types, at most 1,000, in the order in which they ended. Each gets its full number of attempts.
    *
    *     Needs the permission `jobs.manage`.
    */
    post: operations["retryJobs"];
  };
  "/settings/jobs/{id}": {
    /**
    * A job with its progress
    * @description Needs the permission `jobs.manage`.
    */
    get: operations["getJob"];
  };
  "/settings/jobs/{id}/cancel": {
    /**
    * Cancel a queued or running job
    * @description The node that runs it aborts it within a second. What it has already written remains.
    *
    *     Needs the permission `jobs.manage`.
    */
    post: operations["cancelJob"];
  };
  "/settings/jobs/{id}/retry": {
    /**
    * Retry a failed or cancelled job
    * @description The job gets its full number of attempts.
    *
    *     Needs the permission `jobs.manage`.
    */
    post: operations["retryJob"];
  };
  "/settings/jobs/schedules": {
    /**
    * Recurring jobs
    * @description Those of the core and of enabled modules.
    *
    *     Needs the permission `jobs.manage`.
    */
    get: operations["listSchedules"];
  };
  "/settings/jobs/schedules/{job}/run": {
    /**
    * Run a recurring job now
    * @description Queues one job, besides those of the schedule. 409 `invalid_state` with `job_id` while a job of the schedule is queued or running.
    *
    *     Needs the permission `jobs.manage`.
    */
    post: operations["runSchedule"];
  };
  "/jobs/{id}": {
    /**
    * The status of a job that the caller queued
    * @description Also for callers with `jobs.manage`. Any other job does not exist.
    */
    get: operations["getOwnJob"];
  };
  "/jobs/{id}/cancel": {
    /**
    * Cancel a job that runs on behalf of the caller
    * @description Also any job, for callers with `jobs.manage`. The node that runs it aborts it within a second. What it has already written remains.
    */
    post: operations["cancelOwnJob"];
  };
  "/adr": {
    /**
    * Architecture decisions
    * @description Needs the permission `adr.view`.
    */
    get: operations["listAdrs"];
    /**
    * Begin an architecture decision
    * @description Needs the permission `adr.manage`, or `card.adr_manage` as a stakeholder of the card.
    */
    post: operations["createAdr"];
  };
  "/adr/graph": {
    /**
    * Architecture decisions and how they follow from one another
    * @description Needs the permission `adr.view`.
    */
    get: operations["getAdrGraph"];
  };
  "/adr/{id}": {
    /**
    * An architecture decision
    * @description Needs the permission `adr.view`.
    */
    get: operations["getAdr"];
    /**
    * Delete a draft
    * @description Needs the permission `adr.delete`.
    */
    delete: operations["deleteAdr"];
    /**
    * Change a draft
    * @description Needs the permission `adr.manage`, or `card.adr_manage` as a stakeholder of the card.
    */
    patch: operations["updateAdr"];
  };
  "/adr/{id}/request-signatures": {
    /**
    * Have a draft signed: an architecture decision
    * @description Freezes the content: it cannot be changed while it is in review, and every signature covers its hash.
    *
    *     Needs the permission `adr.manage`, or `card.adr_manage` as a stakeholder of the card.
    */
    post: operations["requestAdrSignatures"];
  };
  "/adr/{id}/sign": {
    /**
    * Sign: an architecture decision
    * @description Once per signatory. The last signature puts the document in force and supersedes the revision before it.
    *
    *     Needs the permission `adr.sign`.
    */
    post: operations["signAdr"];
  };
  "/adr/{id}/reject": {
    /**
    * Send back to draft, with a reason: an architecture decision
    * @description Needs the permission `adr.sign`.
    */
    post: operations["rejectAdr"];
  };
  "/adr/{id}/recall": {
    /**
    * Take back from review: an architecture decision
    * @description Needs the permission `adr.manage`, or `card.adr_manage` as a stakeholder of the card.
    */
    post: operations["recallAdr"];
  };
  "/adr/{id}/revise": {
    /**
    * Begin the next revision: an architecture decision
    * @description Needs the permission `adr.manage`, or `card.adr_manage` as a stakeholder of the card.
    */
    post: operations["reviseAdr"];
  };
  "/adr/{id}/revisions": {
    /**
    * Revisions: an architecture decision
    * @description Needs the permission `adr.view`.
    */
    get: operations["listAdrRevisions"];
  };
  "/adr/{id}.md": {
    /**
    * An architecture decision as Markdown
    * @description In the format of MADR; an imported decision is returned as its file, edited where the decision was changed after the import.
    *
    *     Needs the permission `adr.view`.
    */
    get: operations["getAdrMarkdown"];
  };
  "/adr/export.zip": {
    /**
    * Architecture decisions as an archive of Markdown files
    * @description Each decision once: its revision in force, or else its latest.
    *
    *     Needs the permission `adr.view`.
    */
    get: operations["exportAdrs"];
  };
  "/adr/import": {
    /**
    * Import architecture decision records in Markdown
    * @description Files in the form of MADR, of any generation, or as Nygard has them, and ZIP archives of such; up to 1,000 files, 20 MiB and 1 MiB each. A file that was imported before is known by its path and its content.
    *
    *     Needs the permission `adr.manage`.
    */
    post: operations["importAdrs"];
  };
  "/cards/{id}/adrs": {
    /**
    * Architecture decisions that concern a card
    * @description Needs the permission `adr.view`.
    */
    get: operations["listCardAdrs"];
  };
  "/bpm/processes": {
    /**
    * Processes with the state of their flows
    * @description A tree: each item has its parent, its depth and its path; `parent_id` lists one level.
    *
    *     Needs the permission `bpm.view`.
    */
    get: operations["listBpmProcesses"];
  };
  "/bpm/processes/{card_id}": {
    /**
    * A process with its flows, elements and assessments
    * @description Needs the permission `bpm.view`.
    */
    get: operations["getBpmProcess"];
  };
  "/bpm/processes/{card_id}/assessments/trend": {
    /**
    * How the assessments of a process have changed
    * @description Needs the permission `bpm.view`.
    */
    get: operations["getBpmAssessmentTrend"];
  };
  "/bpm/processes/{card_id}/flow/versions": {
    /**
    * The versions of the flow of a process, the latest first
    * @description Needs the permission `bpm.view`.
    */
    get: operations["listBpmVersions"];
    /**
    * Create a draft from nothing, a template, an earlier version or a file
    * @description JSON names what the draft is made from; a BPMN file of up to 20 MiB is the body itself, and `title`, `comment` and `file_name` are then in the query. Links of elements are carried over by BPMN id from the version named, for a file from the published or otherwise the latest version.
    *
    *     Needs the permission `bpm.edit`, or `card.bpm_edit` as a stakeholder of the card.
    */
    post: operations["createBpmVersion"];
  };
  "/bpm/processes/{card_id}/flow/versions/{version_id}": {
    /**
    * A version of a flow
    * @description Needs the permission `bpm.view`.
    */
    get: operations["getBpmVersion"];
    /**
    * Delete a draft
    * @description Needs the permission `bpm.edit`, or `card.bpm_edit` as a stakeholder of the card.
    */
    delete: operations["deleteBpmVersion"];
    /**
    * Change the texts of a draft
    * @description The file of a draft is replaced by `PUT …/{version_id}.bpmn`.
    *
    *     Needs the permission `bpm.edit`, or `card.bpm_edit` as a stakeholder of the card.
    */
    patch: operations["updateBpmVersion"];
  };
  "/bpm/processes/{card_id}/flow/versions/{version_id}/problems": {
    /**
    * The problems of a flow, with line and element
    * @description Needs the permission `bpm.view`.
    */
    get: operations["listBpmProblems"];
  };
  "/bpm/processes/{card_id}/flow/versions/{version_id}/history": {
    /**
    * The changes of a version of a flow, the latest first
    * @description Needs the permission `bpm.view`.
    */
    get: operations["getBpmVersionHistory"];
  };
  "/bpm/processes/{card_id}/flow/versions/{version_id}/submit": {
    /**
    * Submit a draft for approval
    * @description Needs the permission `bpm.edit`, or `card.bpm_edit` as a stakeholder of the card.
    */
    post: operations["submitBpmVersion"];
  };
  "/bpm/processes/{card_id}/flow/versions/{version_id}/withdraw": {
    /**
    * Take a submitted version back
    * @description Needs the permission `bpm.edit`, or `card.bpm_edit` as a stakeholder of the card.
    */
    post: operations["withdrawBpmVersion"];
  };
  "/bpm/processes/{card_id}/flow/versions/{version_id}/approve": {
    /**
    * Publish a submitted version
    * @description Needs the permission `bpm.approve`, or `card.bpm_approve` as a stakeholder of the card.
    */
    post: operations["approveBpmVersion"];
  };
  "/bpm/processes/{card_id}/flow/versions/{version_id}/reject": {
    /**
    * Make a submitted version a draft again, with a reason
    * @description Needs the permission `bpm.approve`, or `card.bpm_approve` as a stakeholder of the card.
    */
    post: operations["rejectBpmVersion"];
  };
  "/bpm/processes/{card_id}/flow/versions/upload": {
    /**
    * Create a draft from the file of a form
    * @description Needs the permission `bpm.edit`, or `card.bpm_edit` as a stakeholder of the card.
    */
    post: operations["uploadBpmVersion"];
  };
  "/bpm/processes/{card_id}/flow/versions/{version_id}.bpmn": {
    /**
    * The file of a version, as it was uploaded
    * @description Needs the permission `bpm.view`.
    */
    get: operations["getBpmFile"];
    /**
    * Replace the file of a draft
    * @description Elements that both files have, by their BPMN ids, keep their links.
    *
    *     Needs the permission `bpm.edit`, or `card.bpm_edit` as a stakeholder of the card.
    */
    put: operations["setBpmFile"];
  };
  "/bpm/processes/{card_id}/flow/versions/{version_id}.svg": {
    /**
    * A diagram of a version as SVG
    * @description Drawn from the diagram interchange of the file; laid out where the file has none. 404 for a diagram that the file does not have.
    *
    *     Needs the permission `bpm.view`.
    */
    get: operations["getBpmSvg"];
  };
  "/bpm/processes/{card_id}/flow/versions/{version_id}.png": {
    /**
    * A diagram of a version as PNG
    * @description Drawn from the diagram interchange of the file; laid out where the file has none. 404 for a diagram that the file does not have.
    *
    *     Needs the permission `bpm.view`.
    */
    get: operations["getBpmPng"];
  };
  "/bpm/processes/{card_id}/flow/versions/{version_id}/diff": {
    /**
    * What has changed since another version, in terms of elements
    * @description Needs the permission `bpm.view`.
    */
    get: operations["getBpmDiff"];
  };
  "/bpm/processes/{card_id}/elements": {
    /**
    * The elements of a flow in order of sequence flow, with their links
    * @description Needs the permission `bpm.view`.
    */
    get: operations["listBpmElements"];
  };
  "/bpm/processes/{card_id}/elements/{element_id}": {
    /**
    * An element of a flow
    * @description Needs the permission `bpm.view`.
    */
    get: operations["getBpmElement"];
  };
  "/bpm/processes/{card_id}/elements/{element_id}/links": {
    /**
    * Link an element with cards
    * @description With applications, data objects, IT components and organizations; a call activity also with the called process. Links of a draft make relations when it is published; those of the published version at once, with the rights of the caller. If-Match is the version of the element.
    *
    *     Needs the permission `bpm.edit`, or `card.bpm_edit` as a stakeholder of the card.
    */
    put: operations["setBpmElementLinks"];
  };
  "/bpm/reports/dashboard": {
    /**
    * Business processes
    * @description Processes by the state of their flows, elements by kind and links, average scores, submitted versions. As a picture or a spreadsheet: `GET /reports/bpm.dashboard`.
    *
    *     Needs the permission `bpm.view`.
    */
    get: operations["getBpmDashboardReport"];
  };
  "/bpm/reports/process-map": {
    /**
    * Process map
    * @description The hierarchy of processes, by the state of their flows or by a score of the latest assessment. As a picture or a spreadsheet: `GET /reports/bpm.process-map`.
    *
    *     Needs the permission `bpm.view`.
    */
    get: operations["getBpmProcessMapReport"];
  };
  "/bpm/reports/capability-process-matrix": {
    /**
    * Capabilities and processes
    * @description Which processes support which capabilities, by the relations between them. Rows of the answer are processes, columns capabilities. As a picture or a spreadsheet: `GET /reports/bpm.capability-process-matrix`.
    *
    *     Needs the permission `bpm.view`.
    */
    get: operations["getBpmCapabilityProcessMatrixReport"];
  };
  "/bpm/reports/process-application-matrix": {
    /**
    * Processes and applications
    * @description Which applications the elements of published flows are linked with, and which relations exist. As a picture or a spreadsheet: `GET /reports/bpm.process-application-matrix`.
    *
    *     Needs the permission `bpm.view`.
    */
    get: operations["getBpmProcessApplicationMatrixReport"];
  };
  "/bpm/reports/dependencies": {
    /**
    * Dependencies of processes
    * @description Which processes call each other by call activities of published flows, or are related. As a picture or a spreadsheet: `GET /reports/bpm.dependencies`.
    *
    *     Needs the permission `bpm.view`.
    */
    get: operations["getBpmDependenciesReport"];
  };
  "/bpm/reports/element-application-map": {
    /**
    * Elements and applications
    * @description Which elements of published flows are linked with which applications, or cards of another type. As a picture or a spreadsheet: `GET /reports/bpm.element-application-map`.
    *
    *     Needs the permission `bpm.view`.
    */
    get: operations["getBpmElementApplicationMapReport"];
  };
  "/bpm/reports/heatmap": {
    /**
    * Assessments of processes
    * @description The scores of the latest assessment of each process, those with the lowest overall score first. As a picture or a spreadsheet: `GET /reports/bpm.heatmap`.
    *
    *     Needs the permission `bpm.view`.
    */
    get: operations["getBpmHeatmapReport"];
  };
  "/bpm/processes/{card_id}/assessments": {
    /**
    * List assessments of a process
    * @description Needs the permission `bpm.view`.
    */
    get: operations["listBpmAssessments"];
    /**
    * Create an assessment of a process
    * @description Needs the permission `bpm.assess`, or `card.bpm_assess` as a stakeholder of the card.
    */
    post: operations["createBpmAssessment"];
  };
  "/bpm/processes/{card_id}/assessments/{id}": {
    /**
    * Read an assessment of a process
    * @description Needs the permission `bpm.view`.
    */
    get: operations["getBpmAssessment"];
    /**
    * Delete an assessment of a process
    * @description Needs the permission `bpm.assess`, or `card.bpm_assess` as a stakeholder of the card.
    */
    delete: operations["deleteBpmAssessment"];
    /**
    * Change an assessment of a process
    * @description Needs the permission `bpm.assess`, or `card.bpm_assess` as a stakeholder of the card.
    */
    patch: operations["updateBpmAssessment"];
  };
  "/bpm/processes/{card_id}/assessments/{id}/history": {
    /**
    * History of an assessment of a process
    * @description Needs the permission `bpm.view`.
    */
    get: operations["getBpmAssessmentHistory"];
  };
  "/bpm/templates": {
    /**
    * List templates of flows
    * @description Needs the permission `bpm.view`.
    */
    get: operations["listBpmTemplates"];
    /**
    * Create a template of flows
    * @description Needs the permission `bpm.edit`.
    */
    post: operations["createBpmTemplate"];
  };
  "/bpm/templates/{id}": {
    /**
    * Read a template of flows
    * @description Needs the permission `bpm.view`.
    */
    get: operations["getBpmTemplate"];
    /**
    * Delete a template of flows
    * @description Needs the permission `bpm.edit`.
    */
    delete: operations["deleteBpmTemplate"];
    /**
    * Change a template of flows
    * @description Needs the permission `bpm.edit`.
    */
    patch: operations["updateBpmTemplate"];
  };
  "/bpm/templates/{id}/history": {
    /**
    * History of a template of flows
    * @description Needs the permission `bpm.view`.
    */
    get: operations["getBpmTemplateHistory"];
  };
  "/bpm/templates/{id}.bpmn": {
    /**
    * The file of a template
    * @description Needs the permission `bpm.view`.
    */
    get: operations["getBpmTemplateFile"];
    /**
    * Set the file of a template
    * @description Needs the permission `bpm.edit`.
    */
    put: operations["setBpmTemplateFile"];
  };
  "/cmdbsync/connectors": {
    /**
    * Connectors, with the settings and secrets of their connections
    * @description Needs the permission `cmdbsync.view`.
    */
    get: operations["listCmdbsyncConnectors"];
  };
  "/cmdbsync/connections": {
    /**
    * List connections to other systems
    * @description Needs the permission `cmdbsync.view`.
    */
    get: operations["listCmdbsyncConnections"];
    /**
    * Create a connection to another system
    * @description Needs the permission `cmdbsync.manage`.
    */
    post: operations["createCmdbsyncConnection"];
  };
  "/cmdbsync/connections/{id}": {
    /**
    * Read a connection to another system
    * @description Needs the permission `cmdbsync.view`.
    */
    get: operations["getCmdbsyncConnection"];
    /**
    * Delete a connection to another system
    * @description Needs the permission `cmdbsync.manage`.
    */
    delete: operations["deleteCmdbsyncConnection"];
    /**
    * Change a connection to another system
    * @description Needs the permission `cmdbsync.manage`.
    */
    patch: operations["updateCmdbsyncConnection"];
  };
  "/cmdbsync/connections/{id}/history": {
    /**
    * History of a connection to another system
    * @description Needs the permission `cmdbsync.view`.
    */
    get: operations["getCmdbsyncConnectionHistory"];
  };
  "/cmdbsync/connections/{id}/test": {
    /**
    * Test a connection and store the result
    * @description Takes at most 30 s. A test that fails has `ok` false and the reason.
    *
    *     Needs the permission `cmdbsync.manage`.
    */
    post: operations["testCmdbsyncConnection"];
  };
  "/cmdbsync/connections/{id}/tables": {
    /**
    * Tables of the other system, and what is mapped
    * @description Needs the permission `cmdbsync.view`.
    */
    get: operations["listCmdbsyncTables"];
  };
  "/cmdbsync/connections/{id}/tables/{table}/fields": {
    /**
    * Fields of a table of the other system, and what is mapped
    * @description Needs the permission `cmdbsync.view`.
    */
    get: operations["listCmdbsyncFields"];
  };
  "/cmdbsync/mappings": {
    /**
    * List mappings between tables and card types
    * @description Needs the permission `cmdbsync.view`.
    */
    get: operations["listCmdbsyncMappings"];
    /**
    * Create a mapping between a table and a card type
    * @description Needs the permission `cmdbsync.manage`.
    */
    post: operations["createCmdbsyncMapping"];
  };
  "/cmdbsync/mappings/{id}": {
    /**
    * Read a mapping between a table and a card type
    * @description Needs the permission `cmdbsync.view`.
    */
    get: operations["getCmdbsyncMapping"];
    /**
    * Delete a mapping between a table and a card type
    * @description Needs the permission `cmdbsync.manage`.
    */
    delete: operations["deleteCmdbsyncMapping"];
    /**
    * Change a mapping between a table and a card type
    * @description Needs the permission `cmdbsync.manage`.
    */
    patch: operations["updateCmdbsyncMapping"];
  };
  "/cmdbsync/mappings/{id}/history": {
    /**
    * History of a mapping between a table and a card type
    * @description Needs the permission `cmdbsync.view`.
    */
    get: operations["getCmdbsyncMappingHistory"];
  };
  "/cmdbsync/mappings/{id}/preview": {
    /**
    * Read a few records of the other system by a mapping, without storing anything
    * @description Takes at most 30 s. Values of cost fields, and the fields that they are read from, are left out for callers who may not see all costs.
    *
    *     Needs the permission `cmdbsync.manage`.
    */
    post: operations["previewCmdbsyncMapping"];
  };
  "/cmdbsync/templates": {
    /**
    * Mappings that ship with the module, for the default metamodel
    * @description Needs the permission `cmdbsync.view`.
    */
    get: operations["listCmdbsyncTemplates"];
  };
  "/cmdbsync/connections/{id}/mappings/from-template": {
    /**
    * Create all mappings of a template, or none
    * @description Needs the permission `cmdbsync.manage`.
    */
    post: operations["createCmdbsyncMappingsFromTemplate"];
  };
  "/cmdbsync/runs": {
    /**
    * Runs, the latest first
    * @description Needs the permission `cmdbsync.view`.
    */
    get: operations["listCmdbsyncRuns"];
  };
  "/cmdbsync/mappings/{id}/runs": {
    /**
    * Start a run of a mapping
    * @description It runs as the service account of the mapping, with its rights. A mapping has one active run at a time; records of earlier runs that wait for a decision are given up, unless it is a dry run.
    *
    *     Needs the permission `cmdbsync.apply`.
    */
    post: operations["startCmdbsyncRun"];
  };
  "/cmdbsync/runs/{id}": {
    /**
    * A run
    * @description Needs the permission `cmdbsync.view`.
    */
    get: operations["getCmdbsyncRun"];
  };
  "/cmdbsync/runs/{id}/cancel": {
    /**
    * End a run; what it has applied stays
    * @description Needs the permission `cmdbsync.apply`.
    */
    post: operations["cancelCmdbsyncRun"];
  };
  "/cmdbsync/runs/{id}/apply": {
    /**
    * Apply records that wait
    * @description A job applies them as the service account of the mapping. Conflicts are decided one by one.
    *
    *     Needs the permission `cmdbsync.apply`.
    */
    post: operations["applyCmdbsyncRun"];
  };
  "/cmdbsync/runs/{id}/report": {
    /**
    * The report of a run
    * @description As CSV one line for each field of each record that the caller may see; of cards hidden from the caller only numbers are in the JSON.
    *
    *     Needs the permission `cmdbsync.view`.
    */
    get: operations["getCmdbsyncRunReport"];
  };
  "/cmdbsync/runs/{id}/records": {
    /**
    * What a run found to be done
    * @description Unchanged records are only counted. Records about cards hidden from the caller are missing, and costs that the caller may not see are withheld.
    *
    *     Needs the permission `cmdbsync.view`.
    */
    get: operations["listCmdbsyncRecords"];
  };
  "/cmdbsync/records/{id}": {
    /**
    * A record of a run
    * @description Needs the permission `cmdbsync.view`.
    */
    get: operations["getCmdbsyncRecord"];
  };
  "/cmdbsync/records/{id}/resolve": {
    /**
    * Decide about a record that waits
    * @description A job applies the decision as the service account of the mapping. A value of the other system that is not taken is not offered again until it changes there.
    *
    *     Needs the permission `cmdbsync.apply`.
    */
    post: operations["resolveCmdbsyncRecord"];
  };
  "/cmdbsync/identities": {
    /**
    * Records of other systems and their cards
    * @description Needs the permission `cmdbsync.view`.
    */
    get: operations["listCmdbsyncIdentities"];
  };
  "/cmdbsync/identities/{id}": {
    /**
    * Forget which card a record is
    * @description Neither the card nor the record changes. The next run reads everything and matches the record anew.
    *
    *     Needs the permission `cmdbsync.manage`.
    */
    delete: operations["deleteCmdbsyncIdentity"];
  };
  "/diagrams/library/groups": {
    /**
    * List groups of diagrams
    * @description Needs the permission `diagrams.view`.
    */
    get: operations["listDiagramGroups"];
    /**
    * Create a group of diagrams
    * @description Needs the permission `diagrams.manage`.
    */
    post: operations["createDiagramGroup"];
  };
  "/diagrams/library/groups/{id}": {
    /**
    * Read a group of diagrams
    * @description Needs the permission `diagrams.view`.
    */
    get: operations["getDiagramGroup"];
    /**
    * Delete a group of diagrams
    * @description Needs the permission `diagrams.manage`.
    */
    delete: operations["deleteDiagramGroup"];
    /**
    * Change a group of diagrams
    * @description Needs the permission `diagrams.manage`.
    */
    patch: operations["updateDiagramGroup"];
  };
  "/diagrams/library/groups/{id}/history": {
    /**
    * History of a group of diagrams
    * @description Needs the permission `diagrams.view`.
    */
    get: operations["getDiagramGroupHistory"];
  };
  "/diagrams": {
    /**
    * Diagrams
    * @description Needs the permission `diagrams.view`.
    */
    get: operations["listDiagrams"];
    /**
    * Create a diagram
    * @description Without `content` it is one empty page.
    *
    *     Needs the permission `diagrams.manage`, or `card.diagrams_manage` as a stakeholder of the card.
    */
    post: operations["createDiagram"];
  };
  "/diagrams/{id}": {
    /**
    * A diagram with its cards
    * @description Needs the permission `diagrams.view`.
    */
    get: operations["getDiagram"];
    /**
    * Delete a diagram with all its versions
    * @description Needs the permission `diagrams.manage`, or `card.diagrams_manage` as a stakeholder of the card.
    */
    delete: operations["deleteDiagram"];
    /**
    * Change a diagram
    * @description Other `content` is a new version. Shapes of cards that the caller does not see are kept as they are.
    *
    *     Needs the permission `diagrams.manage`, or `card.diagrams_manage` as a stakeholder of the card.
    */
    patch: operations["updateDiagram"];
  };
  "/diagrams/{id}/cards": {
    /**
    * The shapes of a diagram that are of cards
    * @description Needs the permission `diagrams.view`.
    */
    get: operations["listDiagramShapes"];
  };
  "/diagrams/{id}/history": {
    /**
    * The changes of a diagram, the latest first
    * @description Needs the permission `diagrams.view`.
    */
    get: operations["getDiagramHistory"];
  };
  "/diagrams/{id}/favourite": {
    /**
    * Make a diagram a favourite of the caller
    * @description Needs the permission `diagrams.view`.
    */
    put: operations["favourDiagram"];
    /**
    * Remove a diagram from the favourites of the caller
    * @description Needs the permission `diagrams.view`.
    */
    delete: operations["disfavourDiagram"];
  };
  "/diagrams/{id}.drawio": {
    /**
    * The draw.io file of a diagram
    * @description Shapes whose label was the name of their card have its current name, and the current colour of its type where they had its colour; archived cards are dashed. Cards that the caller does not see are masked, with ids (`hidden-…`) by which they are recognised when the file is saved.
    *
    *     Needs the permission `diagrams.view`.
    */
    get: operations["getDiagramFile"];
    /**
    * Replace the file of a diagram
    * @description The new content is a new version. Shapes of cards that the caller does not see are kept as they are.
    *
    *     Needs the permission `diagrams.manage`, or `card.diagrams_manage` as a stakeholder of the card.
    */
    put: operations["replaceDiagramFile"];
  };
  "/diagrams/{id}.svg": {
    /**
    * A page of a diagram as SVG
    * @description Needs the permission `diagrams.view`.
    */
    get: operations["getDiagramSvg"];
  };
  "/diagrams/{id}.png": {
    /**
    * A page of a diagram as PNG
    * @description Needs the permission `diagrams.view`.
    */
    get: operations["getDiagramPng"];
  };
  "/diagrams/{id}/drawing": {
    /**
    * The size of a drawing, and the shapes that are not drawable
    * @description Needs the permission `diagrams.view`.
    */
    get: operations["getDiagramDrawing"];
  };
  "/diagrams/{id}/versions": {
    /**
    * The versions of the content of a diagram
    * @description Needs the permission `diagrams.view`.
    */
    get: operations["listDiagramVersions"];
  };
  "/diagrams/{id}/versions/{number}": {
    /**
    * A version, and what was removed from its file
    * @description Needs the permission `diagrams.view`.
    */
    get: operations["getDiagramVersion"];
  };
  "/diagrams/{id}/versions/{number}.drawio": {
    /**
    * The draw.io file of a version, as the caller sees it now
    * @description Needs the permission `diagrams.view`.
    */
    get: operations["getDiagramVersionFile"];
  };
  "/diagrams/{id}/versions/{number}.svg": {
    /**
    * A page of a version as SVG
    * @description Needs the permission `diagrams.view`.
    */
    get: operations["getDiagramVersionSvg"];
  };
  "/diagrams/{id}/versions/{number}/restore": {
    /**
    * Make the content of a version the current one again, as a new version
    * @description Needs the permission `diagrams.manage`, or `card.diagrams_manage` as a stakeholder of the card.
    */
    post: operations["restoreDiagramVersion"];
  };
  "/diagrams/import": {
    /**
    * Create diagrams from draw.io files
    * @description Up to 20 files, each a diagram with the name of the file; all or none. Shapes without references to cards can be matched afterwards.
    *
    *     Needs the permission `diagrams.manage`.
    */
    post: operations["importDiagrams"];
  };
  "/diagrams/{id}/diff": {
    /**
    * What changed between two versions, in terms of cards and relations
    * @description Needs the permission `diagrams.view`.
    */
    get: operations["getDiagramDiff"];
  };
  "/diagrams/generate": {
    /**
    * Make a diagram of the cards around a card
    * @description A laid-out, editable draw.io file in the colours of the metamodel, whose shapes and edges refer to cards and relations. Requires relations.view.
    *
    *     Needs the permission `diagrams.manage`, or `card.diagrams_manage` as a stakeholder of the card.
    */
    post: operations["generateDiagram"];
  };
  "/diagrams/{id}/propose-relations": {
    /**
    * Relations that edges of a diagram show and the landscape does not have
    * @description With `relations`, those are created first, with the rights of the caller as by `POST /relations/bulk`. Requires relations.view.
    *
    *     Needs the permission `diagrams.view`.
    */
    post: operations["proposeDiagramRelations"];
  };
  "/diagrams/{id}/match-cards": {
    /**
    * Cards that the shapes of a diagram may be, by their names
    * @description For drawings without references to cards. With `matches`, accepted ones are written first, as a new version.
    *
    *     Needs the permission `diagrams.manage`, or `card.diagrams_manage` as a stakeholder of the card.
    */
    post: operations["matchDiagramCards"];
  };
  "/cards/{id}/diagrams": {
    /**
    * The diagrams that show a card or are linked with it
    * @description Needs the permission `diagrams.view`.
    */
    get: operations["listCardDiagrams"];
  };
  "/insightlens/suppliers/analyse": {
    /**
    * Run the analysis: Suppliers
    * @description A job analyses the whole landscape; each reader is shown the findings whose cards this reader sees. An analysis has one active run at a time.
    *
    *     Needs the permission `insightlens.manage`.
    */
    post: operations["analyseSuppliers"];
  };
  "/insightlens/duplicates/analyse": {
    /**
    * Run the analysis: Duplicates
    * @description A job analyses the whole landscape; each reader is shown the findings whose cards this reader sees. An analysis has one active run at a time.
    *
    *     Needs the permission `insightlens.manage`.
    */
    post: operations["analyseDuplicates"];
  };
  "/insightlens/security/analyse": {
    /**
    * Run the analysis: Security and compliance
    * @description A job analyses the whole landscape; each reader is shown the findings whose cards this reader sees. An analysis has one active run at a time.
    *
    *     Needs the permission `insightlens.manage`.
    */
    post: operations["analyseSecurity"];
  };
  "/insightlens/modernisation/analyse": {
    /**
    * Run the analysis: Modernisation
    * @description A job analyses the whole landscape; each reader is shown the findings whose cards this reader sees. An analysis has one active run at a time.
    *
    *     Needs the permission `insightlens.manage`.
    */
    post: operations["analyseModernisation"];
  };
  "/insightlens/runs": {
    /**
    * Runs of analyses, the latest first
    * @description Needs the permission `insightlens.view`.
    */
    get: operations["listInsightRuns"];
  };
  "/insightlens/runs/{id}": {
    /**
    * A run of an analysis
    * @description Its findings are those of `GET /insightlens/findings?run_id=`.
    *
    *     Needs the permission `insightlens.view`.
    */
    get: operations["getInsightRun"];
  };
  "/insightlens/runs/{id}/cancel": {
    /**
    * End a run; the findings of the run before stay shown
    * @description Needs the permission `insightlens.manage`.
    */
    post: operations["cancelInsightRun"];
  };
  "/insightlens/findings": {
    /**
    * Findings of the current run of each analysis
    * @description Those whose cards are all active and visible to the caller, together with what they were concluded from: costs, relations, stakeholders.
    *
    *     Needs the permission `insightlens.view`.
    */
    get: operations["listInsightFindings"];
  };
  "/insightlens/findings/{id}": {
    /**
    * A finding, by the latest run that has found it
    * @description Needs the permission `insightlens.view`.
    */
    get: operations["getInsightFinding"];
  };
  "/insightlens/findings/{id}/transition": {
    /**
    * Put a finding in another state
    * @description The state is kept when the analysis runs again, also after cards were renamed.
    *
    *     Needs the permission `insightlens.manage`.
    */
    post: operations["transitionInsightFinding"];
  };
  "/insightlens/duplicates": {
    /**
    * Clusters of cards that are alike
    * @description Computed from the findings of `duplicates` that the caller sees and that were not dismissed. Two clusters are joined by a pair if more than half of the pairs of their cards are findings, or the pair is confirmed.
    *
    *     Needs the permission `insightlens.view`.
    */
    get: operations["listInsightDuplicates"];
  };
  "/insightlens/suppliers": {
    /**
    * Suppliers, by the names in the cards that the caller sees
    * @description A card that depends on several suppliers counts for each.
    *
    *     Needs the permission `insightlens.view`.
    */
    get: operations["listInsightSuppliers"];
  };
  "/insightlens/suppliers/tree": {
    /**
    * Suppliers below those to which they belong, and their concentration
    * @description Needs the permission `insightlens.view`.
    */
    get: operations["getInsightSupplierTree"];
  };
  "/insightlens/suppliers/{id}": {
    /**
    * A supplier: its names, what depends on it, and how replaceable it is
    * @description Needs the permission `insightlens.view`.
    */
    get: operations["getInsightSupplier"];
    /**
    * Confirm, rename, merge or split a supplier
    * @description The decision is kept when the analysis runs again, also after cards were renamed.
    *
    *     Needs the permission `insightlens.manage`.
    */
    patch: operations["changeInsightSupplier"];
  };
  "/insightlens/feeds/{feed}/upload": {
    /**
    * Replace the content of a feed by files
    * @description `kev`: one file in the form of `known_exploited_vulnerabilities.json` of CISA. `endoflife`: files in the forms of endoflife.date: `/api/v1/products/full`, `/api/{product}.json`, or the Markdown files of its repository. Nothing is stored if any file is not valid.
    *
    *     Needs the permission `insightlens.manage`.
    */
    post: operations["uploadInsightFeed"];
  };
  "/insightlens/feeds": {
    /**
    * The feeds with their age
    * @description Needs the permission `insightlens.view`.
    */
    get: operations["listInsightFeeds"];
  };
  "/insightlens/feeds/odd-versions": {
    /**
    * Products whose releases have names without an order
    * @description Their releases are found by name only.
    *
    *     Needs the permission `insightlens.view`.
    */
    get: operations["listInsightOddVersions"];
  };
  "/insightlens/feeds/{feed}": {
    /**
    * A feed with its age, and why it could not be fetched
    * @description Needs the permission `insightlens.view`.
    */
    get: operations["getInsightFeed"];
  };
  "/insightlens/feeds/{feed}/fetch": {
    /**
    * Fetch a feed now
    * @description A feed that cannot be fetched keeps its content; `failure` says why.
    *
    *     Needs the permission `insightlens.manage`.
    */
    post: operations["fetchInsightFeed"];
  };
  "/insightlens/rules": {
    /**
    * The rules of the analysis of security and compliance
    * @description As the settings of the module change them.
    *
    *     Needs the permission `insightlens.view`.
    */
    get: operations["listInsightRules"];
  };
  "/insightlens/compliance": {
    /**
    * Regulations with the findings that speak against them
    * @description Numbers of findings of the current run that the caller sees. `GET /insightlens/findings?rule=` lists those of a requirement.
    *
    *     Needs the permission `insightlens.view`.
    */
    get: operations["listInsightCompliance"];
  };
  "/insightlens/compliance/{regulation}": {
    /**
    * The requirements of a regulation with their findings
    * @description Needs the permission `insightlens.view`.
    */
    get: operations["getInsightCompliance"];
  };
  "/insightlens/findings/bulk-transition": {
    /**
    * Put several findings in another state
    * @description In one transaction, each by the rules of a single transition.
    *
    *     Needs the permission `insightlens.manage`.
    */
    post: operations["transitionInsightFindings"];
  };
  "/insightlens/findings/{id}/promote": {
    /**
    * Make a risk or a draft decision of a finding
    * @description With the rights of the caller in the module risks or adr, about the cards of the finding, in one transaction. A finding of the analysis of security that becomes a risk is `risk_tracked`.
    *
    *     Needs the permission `insightlens.manage`.
    */
    post: operations["promoteInsightFinding"];
  };
  "/insightlens/modernisation": {
    /**
    * What should be modernised, with reasons, effort and order
    * @description Cards with reasons that the caller sees, from the current analyses of modernisation, security and duplicates; the 1,000 with most points. What a card depends on comes first; those that depend on one another in a circle come together.
    *
    *     Needs the permission `insightlens.view`.
    */
    get: operations["listInsightCandidates"];
  };
  "/insightlens/feeds/matched": {
    /**
    * Cards with the products that the last analysis has found for them
    * @description Needs the permission `insightlens.view`.
    */
    get: operations["listInsightMatchedCards"];
  };
  "/insightlens/feeds/unmatched": {
    /**
    * Cards for which a feed could not be used, with the reasons
    * @description Without a product of that name, with several, or with a version that is missing, less exact than the releases, or in no known form: nothing is guessed.
    *
    *     Needs the permission `insightlens.view`.
    */
    get: operations["listInsightUnmatchedCards"];
  };
  "/insightlens/card-products/{id}": {
    /**
    * What people have decided about the product of a card
    * @description Needs the permission `insightlens.view`.
    */
    get: operations["getInsightCardProduct"];
    /**
    * Decide which product a card is
    * @description It takes the place of what is found by name, from the next analysis on, and is kept when cards are renamed and feeds are replaced. Without any member the card is no product of the feeds.
    *
    *     Needs the permission `insightlens.manage`.
    */
    put: operations["putInsightCardProduct"];
    /**
    * Find out the product of a card by its name again
    * @description Needs the permission `insightlens.manage`.
    */
    delete: operations["deleteInsightCardProduct"];
  };
  "/insightlens/findings/{id}/explain": {
    /**
    * Explain a finding with the language model
    * @description With `Accept: text/event-stream` as server-sent events: `statement` with what was found, `text` with each part of the explanation, `end` with the whole. The finding has to be visible to the caller, with `insightlens.view`. Without a model, or if it fails, `model` says why, and what was found stands. Costs and names of users are not sent to the provider.
    *
    *     Needs the permission `insightlens.explain`.
    */
    post: operations["explainInsightFinding"];
  };
  "/insightlens/architect/proposals": {
    /**
    * Own proposals, the latest first
    * @description With `insightlens.manage` also those of others; always those whose cards are visible to the caller.
    *
    *     Needs the permission `insightlens.view`.
    */
    get: operations["listInsightProposals"];
    /**
    * Ask for a proposal that meets a requirement
    * @description A job compares the requirement with the cards that the caller sees, and proposes options and a change set. Nothing is changed until it is committed. A user has one under way at a time.
    *
    *     Needs the permission `insightlens.manage`.
    */
    post: operations["createInsightProposal"];
  };
  "/insightlens/architect/proposals/{id}": {
    /**
    * A proposal
    * @description Needs the permission `insightlens.view`.
    */
    get: operations["getInsightProposal"];
    /**
    * Delete a proposal
    * @description What was committed stays.
    *
    *     Needs the permission `insightlens.manage`.
    */
    delete: operations["deleteInsightProposal"];
    /**
    * Change the title or the change set of a proposal
    * @description Needs the permission `insightlens.manage`.
    */
    patch: operations["updateInsightProposal"];
  };
  "/insightlens/architect/proposals/{id}/cancel": {
    /**
    * End the work on a proposal
    * @description Needs the permission `insightlens.manage`.
    */
    post: operations["cancelInsightProposal"];
  };
  "/insightlens/architect/proposals/{id}/commit": {
    /**
    * Create what a proposal consists of
    * @description Initiative, cards, relations and a draft decision are created in one transaction, with the rights of the caller (`cards.bulk`, `cards.create`, `relations.manage`, `adr.manage`): all of them, or none. Errors name the fields of `change_set`; a card that was archived meanwhile is one. After a change of a card that it names (`is_changed`) the answer is 409 `insightlens_proposal_outdated` until the proposal is refreshed. Without the module `adr` there is no decision.
    *
    *     Needs the permission `insightlens.manage`.
    */
    post: operations["commitInsightProposal"];
  };
  "/portals": {
    /**
    * List portals
    * @description Needs the permission `portals.manage`.
    */
    get: operations["listPortals"];
    /**
    * Create a portal
    * @description Needs the permission `portals.manage`.
    */
    post: operations["createPortal"];
  };
  "/portals/{id}": {
    /**
    * Read a portal
    * @description Needs the permission `portals.manage`.
    */
    get: operations["getPortal"];
    /**
    * Delete a portal
    * @description Needs the permission `portals.manage`.
    */
    delete: operations["deletePortal"];
    /**
    * Change a portal
    * @description Needs the permission `portals.manage`.
    */
    patch: operations["updatePortal"];
  };
  "/portals/{id}/history": {
    /**
    * History of a portal
    * @description Needs the permission `portals.manage`.
    */
    get: operations["getPortalHistory"];
  };
  "/portals/public/{slug}": {
    /** A portal, for visitors */
    get: operations["getPublicPortal"];
  };
  "/portals/public/{slug}/cards": {
    /**
    * The cards of a portal
    * @description Only the fields of the portal. Texts of more than 1,000 characters are shortened in lists. What is not offered has the same answer as what does not exist.
    */
    get: operations["listPublicPortalCards"];
  };
  "/portals/public/{slug}/cards/{id}": {
    /**
    * A card of a portal
    * @description A card that is not part of the portal has the same answer as an unknown id.
    */
    get: operations["getPublicPortalCard"];
  };
  "/portals/public/{slug}/page": {
    /**
    * The page of a portal
    * @description HTML without scripts, with the logo and title of the workspace, in its first language.
    */
    get: operations["getPublicPortalPage"];
  };
  "/portals/public/{slug}/page/{id}": {
    /** The page of a card of a portal */
    get: operations["getPublicPortalCardPage"];
  };
  "/ppm/initiatives/{card_id}/plan": {
    /**
    * The start and the calendar of a plan
    * @description Needs the permission `ppm.view`.
    */
    get: operations["getPpmPlan"];
    /**
    * Set the start and the calendar of a plan
    * @description A calendar is replaced as a whole.
    *
    *     Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    patch: operations["updatePpmPlan"];
  };
  "/ppm/initiatives/{card_id}/wbs": {
    /**
    * The work breakdown of an initiative, in the order of the tree
    * @description Filters apply to the values of the items themselves, not to those computed for summaries.
    *
    *     Needs the permission `ppm.view`.
    */
    get: operations["listPpmWbsItems"];
    /**
    * Create an item of a work breakdown
    * @description Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    post: operations["createPpmWbsItem"];
  };
  "/ppm/initiatives/{card_id}/wbs/{id}": {
    /**
    * An item of a work breakdown
    * @description Needs the permission `ppm.view`.
    */
    get: operations["getPpmWbsItem"];
    /**
    * Delete an item of a work breakdown
    * @description Its dependencies are deleted; its tasks and costs stay without it.
    *
    *     Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    delete: operations["deletePpmWbsItem"];
    /**
    * Change an item of a work breakdown
    * @description Dates, duration, completion and planned cost of an item with others below it cannot be set.
    *
    *     Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    patch: operations["updatePpmWbsItem"];
  };
  "/ppm/initiatives/{card_id}/wbs/{id}/move": {
    /**
    * Move an item, with those below it, to another place of the work breakdown
    * @description Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    post: operations["movePpmWbsItem"];
  };
  "/ppm/initiatives/{card_id}/wbs/{id}/history": {
    /**
    * History of an item of a work breakdown
    * @description Needs the permission `ppm.view`.
    */
    get: operations["getPpmWbsItemHistory"];
  };
  "/ppm/initiatives/{card_id}/dependencies": {
    /**
    * List dependencies between items of a work breakdown
    * @description Needs the permission `ppm.view`.
    */
    get: operations["listPpmDependencies"];
    /**
    * Create a dependency between items of a work breakdown
    * @description Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    post: operations["createPpmDependency"];
  };
  "/ppm/initiatives/{card_id}/dependencies/{id}": {
    /**
    * Read a dependency between items of a work breakdown
    * @description Needs the permission `ppm.view`.
    */
    get: operations["getPpmDependency"];
    /**
    * Delete a dependency between items of a work breakdown
    * @description Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    delete: operations["deletePpmDependency"];
    /**
    * Change a dependency between items of a work breakdown
    * @description Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    patch: operations["updatePpmDependency"];
  };
  "/ppm/initiatives/{card_id}/dependencies/{id}/history": {
    /**
    * History of a dependency between items of a work breakdown
    * @description Needs the permission `ppm.view`.
    */
    get: operations["getPpmDependencyHistory"];
  };
  "/ppm/initiatives/{card_id}/status-reports": {
    /**
    * List status reports of an initiative
    * @description Needs the permission `ppm.view`.
    */
    get: operations["listPpmStatusReports"];
    /**
    * Create a status report of an initiative
    * @description Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    post: operations["createPpmStatusReport"];
  };
  "/ppm/initiatives/{card_id}/status-reports/{id}": {
    /**
    * Read a status report of an initiative
    * @description Needs the permission `ppm.view`.
    */
    get: operations["getPpmStatusReport"];
    /**
    * Delete a status report of an initiative
    * @description Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    delete: operations["deletePpmStatusReport"];
    /**
    * Change a status report of an initiative
    * @description Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    patch: operations["updatePpmStatusReport"];
  };
  "/ppm/initiatives/{card_id}/status-reports/{id}/history": {
    /**
    * History of a status report of an initiative
    * @description Needs the permission `ppm.view`.
    */
    get: operations["getPpmStatusReportHistory"];
  };
  "/ppm/initiatives/{card_id}/tasks": {
    /**
    * List tasks of an initiative
    * @description Needs the permission `ppm.view`.
    */
    get: operations["listPpmTasks"];
    /**
    * Create a task of an initiative
    * @description Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    post: operations["createPpmTask"];
  };
  "/ppm/initiatives/{card_id}/tasks/{id}": {
    /**
    * Read a task of an initiative
    * @description Needs the permission `ppm.view`.
    */
    get: operations["getPpmTask"];
    /**
    * Delete a task of an initiative
    * @description Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    delete: operations["deletePpmTask"];
    /**
    * Change a task of an initiative
    * @description Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    patch: operations["updatePpmTask"];
  };
  "/ppm/initiatives/{card_id}/tasks/{id}/history": {
    /**
    * History of a task of an initiative
    * @description Needs the permission `ppm.view`.
    */
    get: operations["getPpmTaskHistory"];
  };
  "/ppm/initiatives/{card_id}/tasks/{id}/move": {
    /**
    * Move a task to another place of the board
    * @description Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    post: operations["movePpmTask"];
  };
  "/ppm/tasks": {
    /**
    * Tasks of all initiatives that the caller sees
    * @description `assignee_id=me` lists those of the caller.
    *
    *     Needs the permission `ppm.view`.
    */
    get: operations["listPpmTasksOfAll"];
  };
  "/ppm/initiatives/{card_id}/tasks/{id}/comments": {
    /**
    * List comments on a task, the oldest first
    * @description Needs the permission `ppm.view`.
    */
    get: operations["listPpmTaskComments"];
    /**
    * Comment on a task
    * @description The assignee is notified.
    *
    *     Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    post: operations["createPpmTaskComment"];
  };
  "/ppm/initiatives/{card_id}/tasks/{id}/comments/{comment_id}": {
    /**
    * A comment on a task
    * @description Needs the permission `ppm.view`.
    */
    get: operations["getPpmTaskComment"];
    /**
    * Delete a comment on a task
    * @description Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    delete: operations["deletePpmTaskComment"];
    /**
    * Change a comment of your own
    * @description Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    patch: operations["updatePpmTaskComment"];
  };
  "/ppm/initiatives/{card_id}/tasks/{id}/comments/{comment_id}/history": {
    /**
    * History of a comment on a task
    * @description Needs the permission `ppm.view`.
    */
    get: operations["getPpmTaskCommentHistory"];
  };
  "/ppm/holidays": {
    /**
    * List holidays
    * @description Needs the permission `ppm.view`.
    */
    get: operations["listPpmHolidays"];
    /**
    * Create a holiday
    * @description Needs the permission `ppm.manage`.
    */
    post: operations["createPpmHoliday"];
  };
  "/ppm/holidays/{id}": {
    /**
    * Read a holiday
    * @description Needs the permission `ppm.view`.
    */
    get: operations["getPpmHoliday"];
    /**
    * Delete a holiday
    * @description Needs the permission `ppm.manage`.
    */
    delete: operations["deletePpmHoliday"];
    /**
    * Change a holiday
    * @description Needs the permission `ppm.manage`.
    */
    patch: operations["updatePpmHoliday"];
  };
  "/ppm/holidays/{id}/history": {
    /**
    * History of a holiday
    * @description Needs the permission `ppm.view`.
    */
    get: operations["getPpmHolidayHistory"];
  };
  "/ppm/initiatives/{card_id}/budgets": {
    /**
    * List lines of the budget of an initiative
    * @description Needs the permission `ppm.view`.
    */
    get: operations["listPpmBudgets"];
    /**
    * Create a line of the budget of an initiative
    * @description Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    post: operations["createPpmBudget"];
  };
  "/ppm/initiatives/{card_id}/budgets/{id}": {
    /**
    * Read a line of the budget of an initiative
    * @description Needs the permission `ppm.view`.
    */
    get: operations["getPpmBudget"];
    /**
    * Delete a line of the budget of an initiative
    * @description Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    delete: operations["deletePpmBudget"];
    /**
    * Change a line of the budget of an initiative
    * @description Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    patch: operations["updatePpmBudget"];
  };
  "/ppm/initiatives/{card_id}/budgets/{id}/history": {
    /**
    * History of a line of the budget of an initiative
    * @description Needs the permission `ppm.view`.
    */
    get: operations["getPpmBudgetHistory"];
  };
  "/ppm/initiatives/{card_id}/costs": {
    /**
    * List cost lines of an initiative
    * @description Needs the permission `ppm.view`.
    */
    get: operations["listPpmCosts"];
    /**
    * Create a cost line of an initiative
    * @description Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    post: operations["createPpmCost"];
  };
  "/ppm/initiatives/{card_id}/costs/{id}": {
    /**
    * Read a cost line of an initiative
    * @description Needs the permission `ppm.view`.
    */
    get: operations["getPpmCost"];
    /**
    * Delete a cost line of an initiative
    * @description Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    delete: operations["deletePpmCost"];
    /**
    * Change a cost line of an initiative
    * @description Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    patch: operations["updatePpmCost"];
  };
  "/ppm/initiatives/{card_id}/costs/{id}/history": {
    /**
    * History of a cost line of an initiative
    * @description Needs the permission `ppm.view`.
    */
    get: operations["getPpmCostHistory"];
  };
  "/ppm/initiatives/{card_id}/risks": {
    /**
    * List risks of an initiative
    * @description Needs the permission `ppm.view`.
    */
    get: operations["listPpmRisks"];
    /**
    * Create a risk of an initiative
    * @description Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    post: operations["createPpmRisk"];
  };
  "/ppm/initiatives/{card_id}/risks/{id}": {
    /**
    * Read a risk of an initiative
    * @description Needs the permission `ppm.view`.
    */
    get: operations["getPpmRisk"];
    /**
    * Delete a risk of an initiative
    * @description Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    delete: operations["deletePpmRisk"];
    /**
    * Change a risk of an initiative
    * @description Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    patch: operations["updatePpmRisk"];
  };
  "/ppm/initiatives/{card_id}/risks/{id}/history": {
    /**
    * History of a risk of an initiative
    * @description Needs the permission `ppm.view`.
    */
    get: operations["getPpmRiskHistory"];
  };
  "/ppm/initiatives/{card_id}/risks/{id}/promote": {
    /**
    * Create a risk of an initiative in the risk register
    * @description Probabilities and impacts 1 and 2 become low, 3 medium, 4 high, 5 very_high and critical. Requires the right to create risks there.
    *
    *     Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    post: operations["promotePpmRisk"];
  };
  "/ppm/initiatives": {
    /**
    * Initiatives with the roll-up of their plans
    * @description Takes the filters of `GET /cards` but `type`. The figures of an initiative are those of its own plan, without the initiatives below it. Sorts by amounts require the right to see all costs.
    *
    *     Needs the permission `ppm.view`.
    */
    get: operations["listPpmInitiatives"];
  };
  "/ppm/initiatives/{card_id}": {
    /**
    * An initiative with the roll-up of its plan
    * @description Needs the permission `ppm.view`.
    */
    get: operations["getPpmInitiative"];
  };
  "/ppm/reports/dashboard": {
    /**
    * Initiatives
    * @description Initiatives by health and completion, budgets and costs, which ones need attention and why, next milestones. As a picture or a spreadsheet: `GET /reports/ppm.dashboard`.
    *
    *     Needs the permission `ppm.view`.
    */
    get: operations["getPpmDashboardReport"];
  };
  "/ppm/reports/budget-vs-actual": {
    /**
    * Budget and actual costs
    * @description Budgets, planned, actual and forecast costs of initiatives by fiscal year and category. As a picture or a spreadsheet: `GET /reports/ppm.budget-vs-actual`.
    *
    *     Needs the permission `ppm.view`.
    */
    get: operations["getPpmBudgetVsActualReport"];
  };
  "/ppm/reports/gantt": {
    /**
    * Initiatives over time
    * @description Initiatives from their start to their end, coloured by the health of the latest status report, with their milestones. The filters narrow the initiatives. As a picture or a spreadsheet: `GET /reports/ppm.gantt`.
    *
    *     Needs the permission `ppm.view`.
    */
    get: operations["getPpmGanttReport"];
  };
  "/ppm/reports/resource-load": {
    /**
    * Load by person and week
    * @description Hours of tasks by assignee and week beside the capacity. The effort of a task is spread over its working days; tasks without one are counted. The filters narrow the initiatives. As a picture or a spreadsheet: `GET /reports/ppm.resource-load`.
    *
    *     Needs the permission `ppm.view`.
    */
    get: operations["getPpmResourceLoadReport"];
  };
  "/ppm/initiatives/{card_id}/schedule": {
    /**
    * The schedule of a plan: earliest and latest dates, floats and the critical path
    * @description By the critical path method over working days, with dependencies of all types and lags. Predecessors take precedence over constraints; those that cannot be met are among the conflicts.
    *
    *     Needs the permission `ppm.view`.
    */
    get: operations["getPpmSchedule"];
  };
  "/ppm/initiatives/{card_id}/gantt": {
    /**
    * The Gantt chart of a plan, as data or drawn
    * @description Needs the permission `ppm.view`.
    */
    get: operations["getPpmGantt"];
  };
  "/ppm/initiatives/{card_id}/earned-value": {
    /**
    * Earned value of a plan on a date
    * @description For callers who may see the costs of the initiative. It is computed from the planned costs of items: `basis` is `none` for a plan without them, and indices and estimates are null, also if the initiative has budget lines, whose sum is `budget`.
    *
    *     Needs the permission `ppm.view`.
    */
    get: operations["getPpmEarnedValue"];
  };
  "/ppm/initiatives/{card_id}/resource-load": {
    /**
    * The work of persons by week
    * @description The effort of tasks with an assignee, spread evenly over the working days from their start to their due date; where they have none, from those of their item. Tasks without an effort are counted, and have no hours.
    *
    *     Needs the permission `ppm.view`.
    */
    get: operations["getPpmResourceLoad"];
  };
  "/ppm/initiatives/{card_id}/baselines": {
    /**
    * List baselines of a plan
    * @description Needs the permission `ppm.view`.
    */
    get: operations["listPpmBaselines"];
    /**
    * Create a baseline of a plan
    * @description Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    post: operations["createPpmBaseline"];
  };
  "/ppm/initiatives/{card_id}/baselines/{id}": {
    /**
    * Read a baseline of a plan
    * @description Needs the permission `ppm.view`.
    */
    get: operations["getPpmBaseline"];
    /**
    * Delete a baseline of a plan
    * @description Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    delete: operations["deletePpmBaseline"];
    /**
    * Change a baseline of a plan
    * @description Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    patch: operations["updatePpmBaseline"];
  };
  "/ppm/initiatives/{card_id}/baselines/{id}/history": {
    /**
    * History of a baseline of a plan
    * @description Needs the permission `ppm.view`.
    */
    get: operations["getPpmBaselineHistory"];
  };
  "/ppm/initiatives/{card_id}/baselines/{id}/compare": {
    /**
    * What has become different since a baseline
    * @description Needs the permission `ppm.view`.
    */
    get: operations["comparePpmBaseline"];
  };
  "/ppm/initiatives/{card_id}/plan.csv": {
    /**
    * A plan as CSV
    * @description Items, dependencies and, as XML, the calendar of the plan; amounts for callers who may see the costs of the initiative. The same file can be imported again without changing anything.
    *
    *     Needs the permission `ppm.view`.
    */
    get: operations["getPpmPlanCsv"];
  };
  "/ppm/initiatives/{card_id}/plan.xml": {
    /**
    * A plan as Microsoft Project XML
    * @description Items, dependencies and, as XML, the calendar of the plan; amounts for callers who may see the costs of the initiative. The same file can be imported again without changing anything.
    *
    *     Needs the permission `ppm.view`.
    */
    get: operations["getPpmPlanXml"];
  };
  "/ppm/initiatives/{card_id}/plan/import": {
    /**
    * Import a plan from CSV or Microsoft Project XML
    * @description Items are found by their id, otherwise by `external_id`, in Microsoft Project XML the UID; others are created. Everything is imported in one transaction, or nothing. `If-Match` is about the plan. What a file of Microsoft Project has and a plan has not, such as deadlines, is in `notes`, with its count; tasks that are scheduled by hand are read with planned dates, lags in elapsed time as working days.
    *
    *     Needs the permission `ppm.manage`, or `card.ppm_manage` as a stakeholder of the card.
    */
    post: operations["importPpmPlan"];
  };
  "/reports": {
    /**
    * The catalogue of reports
    * @description The reports of all enabled modules that the caller may see.
    *
    *     Needs the permission `reports.view`.
    */
    get: operations["listReports"];
  };
  "/reports/dashboard": {
    /**
    * Dashboard
    * @description Cards by type, approval, data quality and life cycle, the latest changes, and the trend of 30 days.
    *
    *     Needs the permission `reports.view`.
    */
    get: operations["getDashboardReport"];
  };
  "/reports/portfolio": {
    /**
    * Portfolio
    * @description Cards of a type by two fields, with counts and sums.
    *
    *     Needs the permission `reports.view`.
    */
    get: operations["getPortfolioReport"];
  };
  "/reports/cost": {
    /**
    * Cost
    * @description Sums of a cost by a field, by the hierarchy of the cards, or by related cards with their hierarchy.
    *
    *     Needs the permission `reports.view`.
    */
    get: operations["getCostReport"];
  };
  "/reports/data-quality": {
    /**
    * Data quality
    * @description Scores by card type and owner, the cards with the lowest scores, cards without relations, cards that have not changed for long, and with one card type its missing values.
    *
    *     Needs the permission `reports.view`.
    */
    get: operations["getDataQualityReport"];
  };
  "/reports/stakeholders": {
    /**
    * Stakeholders
    * @description Who has which role on how many cards, and what has no owner. Needs the permission to see stakeholders as well.
    *
    *     Needs the permission `reports.view`.
    */
    get: operations["getStakeholdersReport"];
  };
  "/reports/matrix": {
    /**
    * Matrix
    * @description Cards of two types and the relations between them, with the hierarchies of both. The filters of cards narrow the rows. Requires relations.view.
    *
    *     Needs the permission `reports.view`.
    */
    get: operations["getMatrixReport"];
  };
  "/reports/landscape": {
    /**
    * Landscape
    * @description Cards of one type nested in the hierarchy of another one, such as a capability map. Filters of cards narrow the nested cards. Requires relations.view.
    *
    *     Needs the permission `reports.view`.
    */
    get: operations["getLandscapeReport"];
  };
  "/reports/dependencies": {
    /**
    * Dependencies
    * @description The graph around a card, as the impact of the card, or of the cards of a type, which the filters of cards narrow. Relations whose validity has ended are not followed. Requires relations.view.
    *
    *     Needs the permission `reports.view`.
    */
    get: operations["getDependenciesReport"];
  };
  "/reports/lifecycle": {
    /**
    * Life cycle
    * @description A roadmap: the phases of the cards of a type on a time axis, in groups.
    *
    *     Needs the permission `reports.view`.
    */
    get: operations["getLifecycleReport"];
  };
  "/reports/end-of-life": {
    /**
    * End of life
    * @description Cards whose end of life is past or soon, and the cards with relations to them. Filters of cards narrow the former, such as type=ITComponent. Requires relations.view.
    *
    *     Needs the permission `reports.view`.
    */
    get: operations["getEndOfLifeReport"];
  };
  "/reports/saved/{id}/result": {
    /**
    * The result of a saved report
    * @description Computed now, with the permissions of the caller. 409 `reports_saved_invalid` if the report or one of its parameters no longer exists.
    *
    *     Needs the permission `reports.view`.
    */
    get: operations["getSavedReportResult"];
  };
  "/reports/saved": {
    /**
    * List saved reports
    * @description Needs the permission `reports.view`.
    */
    get: operations["listSavedReports"];
    /**
    * Create a saved report
    * @description Needs the permission `reports.view`.
    */
    post: operations["createSavedReport"];
  };
  "/reports/saved/{id}": {
    /**
    * Read a saved report
    * @description Needs the permission `reports.view`.
    */
    get: operations["getSavedReport"];
    /**
    * Delete a saved report
    * @description Needs the permission `reports.view`.
    */
    delete: operations["deleteSavedReport"];
    /**
    * Change a saved report
    * @description Needs the permission `reports.view`.
    */
    patch: operations["updateSavedReport"];
  };
  "/reports/saved/{id}/history": {
    /**
    * History of a saved report
    * @description Needs the permission `reports.view`.
    */
    get: operations["getSavedReportHistory"];
  };
  "/reports/{report}": {
    /**
    * A report of another module
    * @description Its parameters, and what it answers, are those of its module; see the catalogue.
    *
    *     Needs the permission `reports.view`.
    */
    get: operations["getModuleReport"];
  };
  "/risks/metrics": {
    /**
    * Metrics of the register
    * @description Needs the permission `risks.view`.
    */
    get: operations["getRiskMetrics"];
  };
  "/risks/matrix": {
    /**
    * Risks by probability and impact, as data or as an image
    * @description Needs the permission `risks.view`.
    */
    get: operations["getRiskMatrix"];
  };
  "/risks/{id}/propagation": {
    /**
    * The cards that a risk reaches over relations, with paths
    * @description From the cards it affects and those that contribute to it, over relations between active cards, as `GET /cards/{id}/impact` follows them. Needs `relations.view` as well.
    *
    *     Needs the permission `risks.view`.
    */
    get: operations["getRiskPropagation"];
  };
  "/risks": {
    /**
    * List risks
    * @description Needs the permission `risks.view`.
    */
    get: operations["listRisks"];
    /**
    * Create a risk
    * @description Needs the permission `risks.manage`, or `card.risks_manage` as a stakeholder of the card.
    */
    post: operations["createRisk"];
  };
  "/risks/bulk": {
    /**
    * Up to 10,000 operations on risks in one transaction
    * @description Needs the permission `risks.manage`, or `card.risks_manage` as a stakeholder of the card.
    */
    post: operations["bulkRisks"];
  };
  "/risks/{id}": {
    /**
    * Read a risk
    * @description Needs the permission `risks.view`.
    */
    get: operations["getRisk"];
    /**
    * Delete a risk
    * @description Needs the permission `risks.manage`, or `card.risks_manage` as a stakeholder of the card.
    */
    delete: operations["deleteRisk"];
    /**
    * Change a risk
    * @description Needs the permission `risks.manage`, or `card.risks_manage` as a stakeholder of the card.
    */
    patch: operations["updateRisk"];
  };
  "/risks/{id}/transition": {
    /**
    * Move a risk to another state
    * @description A transition that is not possible returns 409 `risks_move_refused` with `allowed`. Accepting also requires `risks.accept`, a rationale and the day on which the acceptance ends; on that day the risk returns to in_progress.
    *
    *     Needs the permission `risks.manage`, or `card.risks_manage` as a stakeholder of the card.
    */
    post: operations["moveRisk"];
  };
  "/risks/{id}/files": {
    /**
    * List the files of a risk
    * @description Needs the permission `risks.view`.
    */
    get: operations["listRiskFiles"];
    /**
    * Add files to a risk
    * @description Needs the permission `risks.manage`, or `card.risks_manage` as a stakeholder of the card.
    */
    post: operations["addRiskFiles"];
  };
  "/risks/{id}/files/{file_id}": {
    /**
    * Download a file of a risk
    * @description Needs the permission `risks.view`.
    */
    get: operations["getRiskFile"];
    /**
    * Remove a file of a risk
    * @description Needs the permission `risks.manage`, or `card.risks_manage` as a stakeholder of the card.
    */
    delete: operations["deleteRiskFile"];
  };
  "/risks/{id}/history": {
    /**
    * History of a risk
    * @description Needs the permission `risks.view`.
    */
    get: operations["getRiskHistory"];
  };
  "/risks/{id}/cards": {
    /**
    * Cards a risk concerns
    * @description Needs the permission `risks.view`.
    */
    get: operations["listRiskCards"];
    /**
    * Link a card with a risk
    * @description Needs the permission `risks.manage`, or `card.risks_manage` as a stakeholder of the card.
    */
    post: operations["addRiskCard"];
  };
  "/risks/{id}/cards/{card_id}": {
    /**
    * The role of a card for a risk
    * @description Needs the permission `risks.view`.
    */
    get: operations["getRiskCard"];
    /**
    * Set the role of a card for a risk, creating the link if needed
    * @description Needs the permission `risks.manage`, or `card.risks_manage` as a stakeholder of the card.
    */
    put: operations["setRiskCard"];
    /**
    * Remove the link between a card and a risk
    * @description Needs the permission `risks.manage`, or `card.risks_manage` as a stakeholder of the card.
    */
    delete: operations["removeRiskCard"];
  };
  "/risks/{id}/mitigations": {
    /**
    * The mitigations of a risk
    * @description Needs the permission `risks.view`.
    */
    get: operations["listRiskMitigations"];
    /**
    * Plan a mitigation, once or recurring
    * @description Needs the permission `risks.manage`, or `card.risks_manage` as a stakeholder of the card.
    */
    post: operations["createRiskMitigation"];
  };
  "/risks/{id}/mitigations/{mitigation_id}": {
    /**
    * A mitigation
    * @description Needs the permission `risks.view`.
    */
    get: operations["getRiskMitigation"];
    /**
    * Delete a mitigation with its occurrences
    * @description Needs the permission `risks.manage`, or `card.risks_manage` as a stakeholder of the card.
    */
    delete: operations["deleteRiskMitigation"];
    /**
    * Change a mitigation
    * @description A changed due date also applies to the open occurrence, and the series is counted from it. When the status becomes done or cancelled, the open occurrence ends; when the mitigation is reopened, a new one begins.
    *
    *     Needs the permission `risks.manage`, or `card.risks_manage` as a stakeholder of the card.
    */
    patch: operations["updateRiskMitigation"];
  };
  "/risks/{id}/mitigations/{mitigation_id}/history": {
    /**
    * The history of a mitigation
    * @description Needs the permission `risks.view`.
    */
    get: operations["getRiskMitigationHistory"];
  };
  "/risks/{id}/mitigations/{mitigation_id}/occurrences": {
    /**
    * The occurrences of a mitigation, past and open
    * @description Needs the permission `risks.view`.
    */
    get: operations["listRiskOccurrences"];
  };
  "/risks/{id}/mitigations/{mitigation_id}/occurrences/{occurrence_id}/complete": {
    /**
    * End an occurrence; the next of the series begins
    * @description If-Match is the version of the mitigation. Where nothing recurs, or the series is over, the mitigation is done.
    *
    *     Needs the permission `risks.manage`, or `card.risks_manage` as a stakeholder of the card.
    */
    post: operations["completeRiskOccurrence"];
  };
  "/cards/{id}/risks": {
    /**
    * List risks
    * @description Needs the permission `risks.view`.
    */
    get: operations["listCardRisks"];
  };
  "/soaw/templates": {
    /**
    * Built-in templates and those of the workspace
    * @description Needs the permission `soaw.view`.
    */
    get: operations["listAllSoawTemplates"];
  };
  "/soaw/templates/built-in": {
    /**
    * The template of TOGAF
    * @description With its sections a document begins that names no template of the workspace.
    *
    *     Needs the permission `soaw.view`.
    */
    get: operations["getBuiltInSoawTemplate"];
  };
  "/soaw/templates/own": {
    /**
    * List templates of statements of architecture work
    * @description Needs the permission `soaw.view`.
    */
    get: operations["listSoawTemplates"];
    /**
    * Create a template of statements of architecture work
    * @description Needs the permission `soaw.manage`.
    */
    post: operations["createSoawTemplate"];
  };
  "/soaw/templates/own/{id}": {
    /**
    * Read a template of statements of architecture work
    * @description Needs the permission `soaw.view`.
    */
    get: operations["getSoawTemplate"];
    /**
    * Delete a template of statements of architecture work
    * @description Needs the permission `soaw.manage`.
    */
    delete: operations["deleteSoawTemplate"];
    /**
    * Change a template of statements of architecture work
    * @description Needs the permission `soaw.manage`.
    */
    patch: operations["updateSoawTemplate"];
  };
  "/soaw/templates/own/{id}/history": {
    /**
    * History of a template of statements of architecture work
    * @description Needs the permission `soaw.view`.
    */
    get: operations["getSoawTemplateHistory"];
  };
  "/soaw": {
    /**
    * List statements of architecture work
    * @description Needs the permission `soaw.view`.
    */
    get: operations["listSoaws"];
    /**
    * Create a statement of architecture work
    * @description Needs the permission `soaw.manage`, or `card.soaw_manage` as a stakeholder of the card.
    */
    post: operations["createSoaw"];
  };
  "/soaw/{id}": {
    /**
    * Read a statement of architecture work
    * @description Needs the permission `soaw.view`.
    */
    get: operations["getSoaw"];
    /**
    * Delete a statement of architecture work
    * @description Needs the permission `soaw.delete`, or `card.soaw_manage` as a stakeholder of the card.
    */
    delete: operations["deleteSoaw"];
    /**
    * Change a statement of architecture work
    * @description Needs the permission `soaw.manage`, or `card.soaw_manage` as a stakeholder of the card.
    */
    patch: operations["updateSoaw"];
  };
  "/soaw/{id}/history": {
    /**
    * History of a statement of architecture work
    * @description Needs the permission `soaw.view`.
    */
    get: operations["getSoawHistory"];
  };
  "/soaw/{id}/sections/{key}": {
    /**
    * Set a section of a draft, adding it at the end if it has none of this key
    * @description Needs the permission `soaw.manage`, or `card.soaw_manage` as a stakeholder of the card.
    */
    put: operations["setSoawSection"];
  };
  "/soaw/{id}/tables": {
    /**
    * The live tables of a statement of architecture work
    * @description Of a draft as they are now; otherwise as they were when signatures were requested. In both cases as the caller may see them: rows about hidden cards are missing, and amounts are withheld, with limits and sums over the rows that are shown. Tables whose frozen rows depend on what the caller may not see have none.
    *
    *     Needs the permission `soaw.view`.
    */
    get: operations["getSoawTables"];
  };
  "/soaw/{id}/diff": {
    /**
    * What has changed between two revisions
    * @description Needs the permission `soaw.view`.
    */
    get: operations["getSoawDiff"];
  };
  "/soaw/{id}.docx": {
    /**
    * A statement of architecture work as a Word document
    * @description A signed document is returned as it was stored after the last signature, to callers who may not see costs in a version without amounts. What else the caller may not see is withheld.
    *
    *     Needs the permission `soaw.view`.
    */
    get: operations["getSoawDocx"];
  };
  "/soaw/{id}.md": {
    /**
    * A statement of architecture work as Markdown
    * @description A signed document is returned as it was stored after the last signature, to callers who may not see costs in a version without amounts. What else the caller may not see is withheld.
    *
    *     Needs the permission `soaw.view`.
    */
    get: operations["getSoawMarkdown"];
  };
  "/soaw/{id}.html": {
    /**
    * A statement of architecture work as HTML
    * @description A signed document is returned as it was stored after the last signature, to callers who may not see costs in a version without amounts. What else the caller may not see is withheld.
    *
    *     Needs the permission `soaw.view`.
    */
    get: operations["getSoawHtml"];
  };
  "/soaw/{id}/request-signatures": {
    /**
    * Have a draft signed: a statement of architecture work
    * @description Freezes the content: it cannot be changed while it is in review, and every signature covers its hash.
    *
    *     Needs the permission `soaw.manage`, or `card.soaw_manage` as a stakeholder of the card.
    */
    post: operations["requestSoawSignatures"];
  };
  "/soaw/{id}/sign": {
    /**
    * Sign: a statement of architecture work
    * @description Once per signatory. The last signature puts the document in force and supersedes the revision before it.
    *
    *     Needs the permission `soaw.sign`.
    */
    post: operations["signSoaw"];
  };
  "/soaw/{id}/reject": {
    /**
    * Send back to draft, with a reason: a statement of architecture work
    * @description Needs the permission `soaw.sign`.
    */
    post: operations["rejectSoaw"];
  };
  "/soaw/{id}/recall": {
    /**
    * Take back from review: a statement of architecture work
    * @description Needs the permission `soaw.manage`, or `card.soaw_manage` as a stakeholder of the card.
    */
    post: operations["recallSoaw"];
  };
  "/soaw/{id}/revise": {
    /**
    * Begin the next revision: a statement of architecture work
    * @description Needs the permission `soaw.manage`, or `card.soaw_manage` as a stakeholder of the card.
    */
    post: operations["reviseSoaw"];
  };
  "/soaw/{id}/revisions": {
    /**
    * Revisions: a statement of architecture work
    * @description Needs the permission `soaw.view`.
    */
    get: operations["listSoawRevisions"];
  };
  "/soaw/{document_id}/comments": {
    /**
    * List comments on a statement of architecture work
    * @description Needs the permission `soaw.view`.
    */
    get: operations["listSoawComments"];
    /**
    * Create a comment on a statement of architecture work
    * @description Needs the permission `soaw.view`.
    */
    post: operations["createSoawComment"];
  };
  "/soaw/{document_id}/comments/{id}": {
    /**
    * Read a comment on a statement of architecture work
    * @description Needs the permission `soaw.view`.
    */
    get: operations["getSoawComment"];
    /**
    * Delete a comment on a statement of architecture work
    * @description Needs the permission `soaw.view`.
    */
    delete: operations["deleteSoawComment"];
    /**
    * Change a comment on a statement of architecture work
    * @description Needs the permission `soaw.view`.
    */
    patch: operations["updateSoawComment"];
  };
  "/soaw/{document_id}/comments/{id}/history": {
    /**
    * History of a comment on a statement of architecture work
    * @description Needs the permission `soaw.view`.
    */
    get: operations["getSoawCommentHistory"];
  };
  "/cards/{id}/soaws": {
    /**
    * List statements of architecture work
    * @description Needs the permission `soaw.view`.
    */
    get: operations["listCardSoaws"];
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @description RFC 9457 problem details. */
    Problem: {
      type: string;
      title: string;
      status: number;
      detail: string;
      instance: string;
      code: string;
      request_id: string;
      errors?: components["schemas"]["FieldError"][];
      /** @description There are more invalid fields than `errors` lists: validation stops after 100. */
      has_more_errors?: boolean;
    } & {
      [key: string]: unknown;
    };
    /** @description `display_name` is required if the invitation has none. */
    AcceptInvitationBody: {
      /** @description From the link of the mail, after `#token=`. */
      token: string;
      /** @description At least 10 characters; very common passwords are not allowed. */
      password: string;
      display_name?: string;
    };
    AcceptInvitationResult: {
      /** @description JSON Web Token, for `Authorization: Bearer`. */
      access_token: string;
      /** @constant */
      token_type: "bearer";
      /** @description Seconds. */
      expires_in: number;
      /** @description Can be used once; using it again ends the session. Absent if a bearer token was refreshed: the refresh token of the session remains valid. */
      refresh_token?: string;
      user: components["schemas"]["Me"];
    };
    Adr: {
      id: string;
      /** @description Without gaps; all revisions of a decision have the same one. */
      number: string;
      /**
      * @description draft → in_review → signed → superseded; only a draft can be changed or deleted.
      * @enum {string}
      */
      status: "draft" | "in_review" | "signed" | "superseded";
      /** @description Counts the documents of one number. */
      revision: number;
      /** @description The signed document this one revises. */
      revision_of: string | null;
      /** @description SHA-256 over the content, frozen when signatures were requested; null for a draft. */
      content_hash: string | null;
      signed_at: string | null;
      /** @description In the order they were named; none for a draft. */
      signatories: components["schemas"]["AdrSignatory"][];
      title: string;
      /** @description The problem, in Markdown. */
      context: string | null;
      /** @description What the decision is measured by. */
      drivers: string[];
      /** @description The options that were considered. */
      options: components["schemas"]["AdrOption"][];
      /** @description What was decided and why, in Markdown. */
      decision: string | null;
      /** @description What follows from it, in Markdown. */
      consequences: string | null;
      /** @description The cards it concerns, those the caller sees. */
      card_ids: string[];
      /** @description Other decisions that it supersedes or relates to, with their current status. */
      related: components["schemas"]["AdrRelated"][];
      /** @description Decisions that refer to this one, and those that supersede it according to its own file. Not part of its content: determined when it is read. */
      related_by: components["schemas"]["AdrRelatedBy"][];
      source: components["schemas"]["AdrSource"] | null;
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    AdrCreate: {
      title: string;
      /** @description The problem, in Markdown. */
      context?: string | null;
      /** @description What the decision is measured by. */
      drivers?: string[];
      /** @description The options that were considered. */
      options?: components["schemas"]["AdrOption"][];
      /** @description What was decided and why, in Markdown. */
      decision?: string | null;
      /** @description What follows from it, in Markdown. */
      consequences?: string | null;
      /** @description The cards it concerns, those the caller sees. */
      card_ids?: string[];
      /** @description Other decisions it supersedes or relates to, each once. */
      related?: components["schemas"]["AdrRelatedInput"][];
    };
    AdrGraph: {
      /** @description Each decision once: its revision in force, or else its latest. */
      nodes: components["schemas"]["AdrGraphNode"][];
      edges: components["schemas"]["AdrGraphEdge"][];
      /** @description How many of the nodes have each status. */
      statuses: {
        [key: string]: number;
      };
      /** @description Whether there are more than 5,000 decisions or 20,000 relations; the decisions with the latest numbers are shown then, and the relations that these state. */
      is_truncated: boolean;
    };
    AdrGraphEdge: {
      source: string;
      target: string;
      /**
      * @description A decision that this one supersedes becomes superseded when this one is signed.
      * @enum {string}
      */
      type: "supersedes" | "relates_to";
    };
    AdrGraphNode: {
      id: string;
      number: string;
      title: string;
      /**
      * @description draft → in_review → signed → superseded; only a draft can be changed or deleted.
      * @enum {string}
      */
      status: "draft" | "in_review" | "signed" | "superseded";
      revision: number;
    };
    AdrImportVerdict: {
      /** @description Its path. */
      file: string;
      /**
      * @description conflict: the file has changed and so has the decision, which stays; skipped: it is no record; failed: it cannot be read.
      * @enum {string}
      */
      outcome: "created" | "updated" | "unchanged" | "conflict" | "skipped" | "failed";
      /** @description Id of the decision; null if there is none, as in a dry run. */
      id: string | null;
      number: string | null;
      /** @description Why it was not imported. */
      reason: string | null;
      warnings: string[];
    };
    AdrOption: {
      title: string;
      /** @description What speaks for it. */
      pros: string[];
      /** @description What speaks against it. */
      cons: string[];
    };
    AdrPage: {
      items: components["schemas"]["Adr"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    AdrPatch: {
      title?: string;
      /** @description The problem, in Markdown. */
      context?: string | null;
      /** @description What the decision is measured by. */
      drivers?: string[];
      /** @description The options that were considered. */
      options?: components["schemas"]["AdrOption"][];
      /** @description What was decided and why, in Markdown. */
      decision?: string | null;
      /** @description What follows from it, in Markdown. */
      consequences?: string | null;
      /** @description The cards it concerns, those the caller sees. */
      card_ids?: string[];
      /** @description Other decisions it supersedes or relates to, each once. */
      related?: components["schemas"]["AdrRelatedInput"][];
    };
    AdrRelated: {
      /**
      * @description A decision that this one supersedes becomes superseded when this one is signed.
      * @enum {string}
      */
      type: "supersedes" | "relates_to";
      adr_id: string;
      number: string;
      title: string;
      /**
      * @description draft → in_review → signed → superseded; only a draft can be changed or deleted.
      * @enum {string}
      */
      status: "draft" | "in_review" | "signed" | "superseded";
    };
    AdrRelatedBy: {
      /**
      * @description What the other decision is to this one; `superseded_by`: its file says that this one supersedes it.
      * @enum {string}
      */
      type: "supersedes" | "relates_to" | "superseded_by";
      adr_id: string;
      number: string;
      title: string;
      /**
      * @description draft → in_review → signed → superseded; only a draft can be changed or deleted.
      * @enum {string}
      */
      status: "draft" | "in_review" | "signed" | "superseded";
    };
    AdrRelatedInput: {
      /**
      * @description A decision that this one supersedes becomes superseded when this one is signed.
      * @enum {string}
      */
      type: "supersedes" | "relates_to";
      adr_id: string;
    };
    AdrRevision: {
      id: string;
      revision: number;
      title: string;
      /**
      * @description draft → in_review → signed → superseded; only a draft can be changed or deleted.
      * @enum {string}
      */
      status: "draft" | "in_review" | "signed" | "superseded";
      created_at: string;
      signed_at: string | null;
      content_hash: string | null;
    };
    AdrRevisionPage: {
      items: components["schemas"]["AdrRevision"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    AdrSignatory: {
      /** @description null if the account was deleted. */
      user_id: string | null;
      display_name: string;
      /** @enum {string} */
      status: "pending" | "signed";
      signed_at: string | null;
      comment: string | null;
    };
    /** @description The file it was imported from. */
    AdrSource: {
      collection: string;
      path: string;
      /** @description As the file spells it. */
      status: string | null;
    };
    AiCall: {
      id: string;
      module: string;
      purpose: string;
      user_id: string | null;
      provider: string;
      model: string;
      /**
      * @description `open`: under way.
      * @enum {string}
      */
      state: "open" | "done" | "failed";
      /** @description Why it has failed. */
      reason: string | null;
      /** @description What the provider said; null after `log_retention_days`. */
      detail: string | null;
      /** @description US dollars; null without prices. Of a request whose node was killed: its upper bound, since the provider may have answered it. */
      cost: number | null;
      input_tokens: number | null;
      output_tokens: number | null;
      /** @description Whether the provider did not report the usage: it is then an upper bound. */
      is_estimated: boolean;
      attempts: number;
      created_at: string;
      finished_at: string | null;
    };
    AiCallDetail: {
      id: string;
      module: string;
      purpose: string;
      user_id: string | null;
      provider: string;
      model: string;
      /**
      * @description `open`: under way.
      * @enum {string}
      */
      state: "open" | "done" | "failed";
      /** @description Why it has failed. */
      reason: string | null;
      /** @description What the provider said; null after `log_retention_days`. */
      detail: string | null;
      /** @description US dollars; null without prices. Of a request whose node was killed: its upper bound, since the provider may have answered it. */
      cost: number | null;
      input_tokens: number | null;
      output_tokens: number | null;
      /** @description Whether the provider did not report the usage: it is then an upper bound. */
      is_estimated: boolean;
      attempts: number;
      created_at: string;
      finished_at: string | null;
      /** @description Null after `log_retention_days`. */
      prompt: string | null;
      /** @description As the model has written it, unchecked. */
      answer: string | null;
    };
    AiCallPage: {
      items: components["schemas"]["AiCall"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    AiSettings: {
      /**
      * @description `none`: disabled. `openai`, `ollama` and `vllm` use the API of OpenAI, as do compatible providers with another `base_url`.
      * @enum {string}
      */
      provider: "none" | "openai" | "azure" | "anthropic" | "ollama" | "vllm";
      /** @description Base URL of its API, without the path of a call; required for azure, ollama and vllm. An address that is not public must be in OUTBOUND_ALLOW. */
      base_url: string | null;
      /** @description Name of the model; for azure the deployment. */
      model: string | null;
      /** @description Only for azure; default: 2024-10-21. */
      api_version: string | null;
      /** @description Timeout of one call. */
      timeout_seconds: number;
      /** @description Limit in US dollars per calendar month (UTC), after which no call is made; `null` for no limit. It needs both prices. */
      monthly_spend_cap: number | null;
      /** @description US dollars per 1,000 tokens of the prompt; `null`: unknown, or 0 for ollama and vllm. */
      input_price: number | null;
      /** @description US dollars per 1,000 tokens of the answer; `null`: unknown, or 0 for ollama and vllm. */
      output_price: number | null;
      /** @description Maximum number of tokens of an answer. */
      max_output_tokens: number;
      /**
      * @description The parameter with this maximum, of APIs like that of OpenAI. `null`: `max_completion_tokens` for openai without `base_url`, else `max_tokens`.
      * @enum {string|null}
      */
      token_limit: "max_tokens" | "max_completion_tokens" | null;
      /** @description Days for which prompts and answers are kept; 0: they are not stored. */
      log_retention_days: number;
      api_key: components["schemas"]["StoredSecret"];
      version: number;
    };
    AiSettingsPatch: {
      /**
      * @description `none`: disabled. `openai`, `ollama` and `vllm` use the API of OpenAI, as do compatible providers with another `base_url`.
      * @enum {string}
      */
      provider?: "none" | "openai" | "azure" | "anthropic" | "ollama" | "vllm";
      /** @description Base URL of its API, without the path of a call; required for azure, ollama and vllm. An address that is not public must be in OUTBOUND_ALLOW. */
      base_url?: string | null;
      /** @description Name of the model; for azure the deployment. */
      model?: string | null;
      /** @description Only for azure; default: 2024-10-21. */
      api_version?: string | null;
      /** @description Timeout of one call. */
      timeout_seconds?: number;
      /** @description Limit in US dollars per calendar month (UTC), after which no call is made; `null` for no limit. It needs both prices. */
      monthly_spend_cap?: number | null;
      /** @description US dollars per 1,000 tokens of the prompt; `null`: unknown, or 0 for ollama and vllm. */
      input_price?: number | null;
      /** @description US dollars per 1,000 tokens of the answer; `null`: unknown, or 0 for ollama and vllm. */
      output_price?: number | null;
      /** @description Maximum number of tokens of an answer. */
      max_output_tokens?: number;
      /**
      * @description The parameter with this maximum, of APIs like that of OpenAI. `null`: `max_completion_tokens` for openai without `base_url`, else `max_tokens`.
      * @enum {string|null}
      */
      token_limit?: "max_tokens" | "max_completion_tokens" | null;
      /** @description Days for which prompts and answers are kept; 0: they are not stored. */
      log_retention_days?: number;
      /** @description Stored encrypted, and never shown again; `null` removes it. */
      api_key?: string | null;
    };
    AiUsage: {
      /** @description UTC, YYYY-MM. */
      month: string;
      /** @description US dollars of requests that have ended, with the upper bound where the usage is not known. */
      spent: number;
      /** @description US dollars at most of requests under way. */
      reserved: number;
      monthly_spend_cap: number | null;
      calls: number;
      input_tokens: number;
      output_tokens: number;
    };
    ApplyCmdbsyncRun: {
      record_ids: string[];
    };
    ApplyCmdbsyncRunInput: {
      /** @description All records that wait and are no conflicts. Only `true`. */
      all: boolean;
    };
    ApproveBpmVersionBody: {
      comment?: string;
    };
    ArchiveCardBody: {
      /**
      * @description What happens to the children: they are included, lose their parent, or move up to the parent of the card.
      * @enum {string}
      */
      child_strategy?: "cascade" | "disconnect" | "reparent";
    };
    ArchiveImpact: {
      child_count: number;
      /** @description Active cards below it, on all levels. */
      descendant_count: number;
      /** @description Approved cards among the card and those below it. */
      approved_count: number;
      /** @description Cards outside the subtree that are related to any card in it, the first 200 by name. */
      related: components["schemas"]["ArchiveImpactRelated"][];
      related_count: number;
    };
    ArchiveImpactRelated: {
      id: string;
      type: string;
      name: string;
      relation_types: string[];
    };
    BpmAssessment: {
      id: string;
      /** @description The process. */
      card_id: string;
      assessed_on: string;
      /** @description Use of time and money. */
      efficiency: number | null;
      /** @description Whether the process reaches its purpose. */
      effectiveness: number | null;
      /** @description Whether rules are obeyed. */
      compliance: number | null;
      /** @description Share of the work that systems do. */
      automation: number | null;
      /** @description The judgement as a whole. */
      overall: number;
      /** @description Markdown. */
      notes: string | null;
      /** @default [] */
      action_items: components["schemas"]["BpmAssessmentActionItem"][];
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    BpmAssessmentActionItem: {
      title: string;
      due_date?: string | null;
      /** @default false */
      done?: boolean;
    };
    BpmAssessmentCreate: {
      assessed_on: string;
      /** @description Use of time and money. */
      efficiency?: number | null;
      /** @description Whether the process reaches its purpose. */
      effectiveness?: number | null;
      /** @description Whether rules are obeyed. */
      compliance?: number | null;
      /** @description Share of the work that systems do. */
      automation?: number | null;
      /** @description The judgement as a whole. */
      overall: number;
      /** @description Markdown. */
      notes?: string | null;
      /** @default [] */
      action_items?: components["schemas"]["BpmAssessmentActionItem"][];
    };
    BpmAssessmentHistoryChange: {
      field: string;
      old: unknown;
      new: unknown;
      /** @description The permission required to see the change. */
      permission?: string;
    };
    BpmAssessmentHistoryEntry: {
      /** @description The version the change led to; of a deletion, the last one. */
      version: number | null;
      at: string;
      /** @description Type of the event of the change. */
      type: string;
      actor: components["schemas"]["PpmHistoryActor"] | null;
      origin: string;
      /** @description Groups all changes of one request or job. */
      change_id: string | null;
      request_id: string | null;
      changes: components["schemas"]["BpmAssessmentHistoryChange"][];
    };
    BpmAssessmentHistoryPage: {
      items: components["schemas"]["BpmAssessmentHistoryEntry"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    BpmAssessmentPage: {
      items: components["schemas"]["BpmAssessment"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    BpmAssessmentPatch: {
      assessed_on?: string;
      /** @description Use of time and money. */
      efficiency?: number | null;
      /** @description Whether the process reaches its purpose. */
      effectiveness?: number | null;
      /** @description Whether rules are obeyed. */
      compliance?: number | null;
      /** @description Share of the work that systems do. */
      automation?: number | null;
      /** @description The judgement as a whole. */
      overall?: number;
      /** @description Markdown. */
      notes?: string | null;
      /** @default [] */
      action_items?: components["schemas"]["BpmAssessmentActionItem"][];
    };
    BpmAssessmentTrend: {
      /** @description The latest 100 assessments, oldest first; the last of each day. */
      points: components["schemas"]["BpmAssessmentTrendPoint"][];
      change: components["schemas"]["BpmAssessmentTrendChange"];
    };
    /** @description The last score less the one before; null with fewer than two. */
    BpmAssessmentTrendChange: {
      efficiency: number | null;
      effectiveness: number | null;
      compliance: number | null;
      automation: number | null;
      overall: number | null;
    };
    BpmAssessmentTrendPoint: {
      assessed_on: string;
      efficiency: number | null;
      effectiveness: number | null;
      compliance: number | null;
      automation: number | null;
      overall: number;
    };
    BpmCapabilityProcessMatrixReport: {
      /** @description Whether rows or columns were left out. */
      truncated: boolean;
      rows: components["schemas"]["PpmTaskInitiative"][];
      columns: components["schemas"]["PpmTaskInitiative"][];
      cells: components["schemas"]["BpmCapabilityProcessMatrixReportCell"][];
    };
    BpmCapabilityProcessMatrixReportCell: {
      row_id: string;
      column_id: string;
      /** @description Whether a relation between the two exists that the caller sees. */
      related: boolean;
      /** @description Elements of the published flow that are linked with the card. */
      elements: number;
      /** @description The list of the elements. */
      href?: string;
    };
    BpmChange: {
      bpmn_id: string;
      kind: string;
      type: string;
      name: string | null;
      before?: unknown;
      after?: unknown;
    };
    BpmDashboardReport: {
      processes: components["schemas"]["BpmDashboardReportProcesses"];
      /** @description A process with a published flow can have drafts as well. */
      flows: components["schemas"]["BpmDashboardReportFlow"][];
      /** @description Processes whose published flow has problems of severity `error`. */
      with_problems: number;
      assessed: components["schemas"]["BpmDashboardReportProcesses"];
      averages: components["schemas"]["BpmDashboardReportAverages"];
      elements: components["schemas"]["BpmDashboardReportElements"];
      kinds: components["schemas"]["BpmDashboardReportKind"][];
      /** @description At most 20 submitted versions, the oldest first. */
      awaiting: components["schemas"]["BpmDashboardReportAwaiting"][];
    };
    /** @description Of the latest assessment of each process. */
    BpmDashboardReportAverages: {
      efficiency: number | null;
      effectiveness: number | null;
      compliance: number | null;
      automation: number | null;
      overall: number | null;
    };
    BpmDashboardReportAwaiting: {
      id: string;
      revision: number;
      submitted_at: string;
      process: components["schemas"]["PpmTaskInitiative"];
      href: string;
    };
    BpmDashboardReportElements: {
      total: number;
      /** @description Elements of published flows that are linked with a card. */
      linked: number;
    };
    BpmDashboardReportFlow: {
      key: string;
      label: string;
      count: number;
      /** @description The list whose total is the count. */
      href: string;
    };
    BpmDashboardReportKind: {
      kind: string;
      count: number;
      linked: number;
    };
    BpmDashboardReportProcesses: {
      count: number;
      /** @description The list whose total is the count. */
      href: string;
    };
    BpmDependenciesReport: {
      truncated: boolean;
      /** @description Those with the most edges. */
      processes: components["schemas"]["BpmDependenciesReportProcess"][];
      edges: components["schemas"]["BpmDependenciesReportEdge"][];
    };
    BpmDependenciesReportEdge: {
      from_id: string;
      to_id: string;
      /** @description Call activities of the published flow that are linked with the other process. */
      calls: number;
      /** @description Whether a relation from one to the other exists that the caller sees. */
      related: boolean;
    };
    BpmDependenciesReportProcess: {
      id: string;
      name: string;
      /** @description Edges to it. */
      incoming: number;
      /** @description Edges from it. */
      outgoing: number;
    };
    BpmDiff: {
      before: components["schemas"]["BpmDiffBefore"];
      after: components["schemas"]["BpmDiffBefore"];
      /** @description Whether a list has only the first thousand of its changes. */
      truncated: boolean;
      summary: components["schemas"]["BpmDiffSummary"];
      /** @description Elements that the version before does not have. */
      added: components["schemas"]["BpmChange"][];
      /** @description Elements that only the version before has. */
      removed: components["schemas"]["BpmChange"][];
      /** @description Elements with another name. */
      renamed: components["schemas"]["BpmChange"][];
      /** @description Elements whose flows have another source or target. */
      rewired: components["schemas"]["BpmChange"][];
      /** @description Elements in another lane or sub-process, or at another place of the diagram. */
      moved: components["schemas"]["BpmChange"][];
      /** @description Elements of another type, or with another documentation or called process. */
      changed: components["schemas"]["BpmChange"][];
    };
    BpmDiffBefore: {
      id: string;
      revision: number;
    };
    BpmDiffSummary: {
      added: number;
      removed: number;
      renamed: number;
      rewired: number;
      moved: number;
      changed: number;
    };
    BpmElement: {
      id: string;
      version_id: string;
      /** @description The id in the file. */
      bpmn_id: string;
      /** @description In order of sequence flow. */
      position: number;
      /** @enum {string} */
      kind: "task" | "event" | "gateway" | "sub_process" | "call_activity" | "data_object" | "data_store" | "lane" | "participant";
      /** @description The name of the element in BPMN. */
      type: string;
      event_definition: string | null;
      name: string | null;
      documentation: string | null;
      process_bpmn_id: string | null;
      /** @description The sub-process or lane that contains it. */
      parent_bpmn_id: string | null;
      lane_bpmn_id: string | null;
      /** @description Of a call activity: the id of the called process. */
      called_element: string | null;
      /** @description Whether a user has set the links in this version; others are carried over. */
      links_set: boolean;
      /** @description Linked cards that the caller may see. */
      links: components["schemas"]["BpmElementLink"][];
      version: number;
      updated_at: string;
    };
    BpmElementApplicationMapReport: {
      /** @enum {string} */
      type: "Application" | "DataObject" | "ITComponent" | "Organization" | "BusinessProcess";
      /** @description In the language of the request. */
      type_label: string;
      truncated: boolean;
      cards: components["schemas"]["BpmElementApplicationMapReportCard"][];
    };
    BpmElementApplicationMapReportCard: {
      id: string;
      name: string;
      element_count: number;
      processes: components["schemas"]["BpmElementApplicationMapReportCardProcess"][];
    };
    BpmElementApplicationMapReportCardProcess: {
      id: string;
      name: string;
      /** @description The list of these elements. */
      href: string;
      elements: components["schemas"]["BpmElementApplicationMapReportCardProcessElement"][];
    };
    BpmElementApplicationMapReportCardProcessElement: {
      id: string;
      bpmn_id: string;
      kind: string;
      type: string;
      name: string | null;
    };
    BpmElementLink: {
      card_id: string;
      type: string;
      name: string;
      status: string;
      /** @description A called process that was found by its id in the file. */
      is_automatic: boolean;
    };
    BpmElementLinkInput: {
      card_id: string;
    };
    BpmElementLinksReplacement: {
      /** @description Replaces the links that the caller sees; others are kept. */
      links: components["schemas"]["BpmElementLinkInput"][];
    };
    BpmElementPage: {
      items: components["schemas"]["BpmElement"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    BpmFlowState: {
      published: components["schemas"]["BpmFlowStatePublished"] | null;
      pending_id: string | null;
      draft_count: number;
    };
    BpmFlowStatePublished: {
      id: string;
      revision: number;
      element_count: number;
    };
    BpmHeatmapReport: {
      assessed: components["schemas"]["BpmHeatmapReportAssessed"];
      /** @description Those with the lowest overall score first. */
      processes: components["schemas"]["BpmHeatmapReportProcess"][];
    };
    BpmHeatmapReportAssessed: {
      count: number;
      href: string;
    };
    BpmHeatmapReportProcess: {
      id: string;
      name: string;
      assessed_on: string;
      efficiency: number | null;
      effectiveness: number | null;
      compliance: number | null;
      automation: number | null;
      overall: number | null;
    };
    BpmImpliedRelation: {
      /** @description Of the relation. */
      id: string;
      type: string;
      card: components["schemas"]["BpmImpliedRelationCard"];
    };
    BpmImpliedRelationCard: {
      id: string;
      name: string;
      type: string;
    };
    BpmLatestAssessment: {
      id: string;
      assessed_on: string;
      overall: number;
    };
    BpmProblem: {
      /** @enum {string} */
      severity: "error" | "warning";
      code: string;
      message: string;
      line: number | null;
      /** @description The id in the file. */
      element_id: string | null;
    };
    BpmProblemPage: {
      items: components["schemas"]["BpmProblem"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    BpmProcess: {
      id: string;
      name: string;
      subtype: string | null;
      status: string;
      parent_id: string | null;
      /** @description Number of processes above it. */
      depth: number;
      /** @description The processes above it, the highest first. */
      path: components["schemas"]["PpmTaskInitiative"][];
      /** @description Active processes directly below it. */
      child_count: number;
      flow: components["schemas"]["BpmFlowState"];
      assessment: components["schemas"]["BpmLatestAssessment"] | null;
      /** @description The first 200 active processes directly below it. */
      children: components["schemas"]["BpmProcessItem"][];
      /** @description The latest 20; `/flow/versions` lists all. */
      versions: components["schemas"]["BpmVersionSummary"][];
      version_count: number;
      /** @description The first 200 elements of the published version, otherwise of the latest; `/elements` lists all. */
      elements: components["schemas"]["BpmElement"][];
      /** @description Elements of that version. */
      element_count: number;
      /** @description The latest 20; `/assessments` lists all. */
      assessments: components["schemas"]["BpmAssessment"][];
      assessment_count: number;
      trend: components["schemas"]["BpmAssessmentTrend"];
      /** @description At most 500 relations that links of the published version imply. */
      relations: components["schemas"]["BpmImpliedRelation"][];
    };
    BpmProcessItem: {
      id: string;
      name: string;
      subtype: string | null;
      status: string;
      parent_id: string | null;
      /** @description Number of processes above it. */
      depth: number;
      /** @description The processes above it, the highest first. */
      path: components["schemas"]["PpmTaskInitiative"][];
      /** @description Active processes directly below it. */
      child_count: number;
      flow: components["schemas"]["BpmFlowState"];
      assessment: components["schemas"]["BpmLatestAssessment"] | null;
    };
    BpmProcessMapReport: {
      /** @enum {string} */
      color_by: "state" | "efficiency" | "effectiveness" | "compliance" | "automation" | "overall";
      truncated: boolean;
      /** @description By depth and name. */
      processes: components["schemas"]["BpmProcessMapReportProcess"][];
    };
    BpmProcessMapReportProcess: {
      id: string;
      name: string;
      /** @description Null for the highest ones that are shown. */
      parent_id: string | null;
      /** @enum {string} */
      state: "published" | "pending" | "draft" | "none";
      /** @description Of the published flow. */
      element_count: number;
      efficiency: number | null;
      effectiveness: number | null;
      compliance: number | null;
      automation: number | null;
      overall: number | null;
    };
    BpmProcessPage: {
      items: components["schemas"]["BpmProcessItem"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    BpmTemplate: {
      id: string;
      name: string;
      description: string | null;
      /** @description SHA-256 of the file, hexadecimal; null until a file is sent. */
      content_hash: string | null;
      /** @description Bytes of the file. */
      size: number | null;
      element_count: number | null;
      /** @description Key of a template that ships with the module. Its file is in the language of the workspace, or in `lang`; null after another file was sent. */
      shipped: string | null;
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    BpmTemplateCreate: {
      name: string;
      description?: string | null;
    };
    BpmTemplatePage: {
      items: components["schemas"]["BpmTemplate"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    BpmTemplatePatch: {
      name?: string;
      description?: string | null;
    };
    BpmVersion: {
      id: string;
      card_id: string;
      /** @description Consecutive within the process. */
      revision: number;
      /** @enum {string} */
      state: "draft" | "pending" | "published" | "archived";
      title: string;
      comment: string | null;
      /**
      * @description What it was created from.
      * @enum {string}
      */
      source: "nothing" | "template" | "version" | "upload";
      /** @description The version from which links of elements were carried over. */
      based_on: string | null;
      file_name: string;
      /** @description Bytes of the file. */
      size: number;
      /** @description SHA-256 of the file, hexadecimal. */
      content_hash: string;
      element_count: number;
      /** @description Problems of severity `error`. */
      error_count: number;
      warning_count: number;
      /** @description Whether the file has the layout of its diagram; otherwise it is laid out. */
      has_interchange: boolean;
      created_by: string | null;
      submitted_by: string | null;
      submitted_at: string | null;
      /** @enum {string|null} */
      decision: "approved" | "rejected" | "withdrawn" | null;
      decided_by: string | null;
      decided_at: string | null;
      /** @description Of a rejection. */
      reason: string | null;
      published_at: string | null;
      archived_at: string | null;
      created_at: string;
      updated_at: string;
      version: number;
      /** @description The actions that its state allows. */
      allowed_actions: string[];
      /** @description At most 100 of the diagrams in the file. */
      diagrams: components["schemas"]["BpmVersionDiagram"][];
      /** @description The first 50; the list `/problems` has all that are stored. */
      problems: components["schemas"]["BpmProblem"][];
    };
    BpmVersionCreate: {
      /**
      * @description A file is sent as the body itself, or as a form.
      * @enum {string}
      */
      from: "nothing" | "template" | "version";
      template_id?: string;
      /** @description A version of the same process. */
      version_id?: string;
      title?: string;
      /** @description What this version changes. */
      comment?: string;
    };
    BpmVersionDiagram: {
      id: string | null;
      name: string | null;
      index: number;
    };
    BpmVersionFieldChange: {
      field: string;
      /** @description The value before. */
      old: unknown;
      /** @description The value after. */
      new: unknown;
    };
    BpmVersionHistoryEntry: {
      /** @description The version of the resource that the change led to. */
      version: number | null;
      at: string;
      /** @description Type of the event of the change. */
      type: string;
      actor: components["schemas"]["PpmHistoryActor"] | null;
      origin: string;
      /** @description Groups all changes of one request or job. */
      change_id: string | null;
      request_id: string | null;
      /** @description Given with a submission, withdrawal or approval. */
      comment: string | null;
      /** @description Of a rejection. */
      reason: string | null;
      changes: components["schemas"]["BpmVersionFieldChange"][];
    };
    BpmVersionHistoryPage: {
      items: components["schemas"]["BpmVersionHistoryEntry"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    BpmVersionPatch: {
      title?: string;
      /** @description What this version changes. */
      comment?: string | null;
    };
    BpmVersionSummary: {
      id: string;
      card_id: string;
      /** @description Consecutive within the process. */
      revision: number;
      /** @enum {string} */
      state: "draft" | "pending" | "published" | "archived";
      title: string;
      comment: string | null;
      /**
      * @description What it was created from.
      * @enum {string}
      */
      source: "nothing" | "template" | "version" | "upload";
      /** @description The version from which links of elements were carried over. */
      based_on: string | null;
      file_name: string;
      /** @description Bytes of the file. */
      size: number;
      /** @description SHA-256 of the file, hexadecimal. */
      content_hash: string;
      element_count: number;
      /** @description Problems of severity `error`. */
      error_count: number;
      warning_count: number;
      /** @description Whether the file has the layout of its diagram; otherwise it is laid out. */
      has_interchange: boolean;
      created_by: string | null;
      submitted_by: string | null;
      submitted_at: string | null;
      /** @enum {string|null} */
      decision: "approved" | "rejected" | "withdrawn" | null;
      decided_by: string | null;
      decided_at: string | null;
      /** @description Of a rejection. */
      reason: string | null;
      published_at: string | null;
      archived_at: string | null;
      created_at: string;
      updated_at: string;
      version: number;
      /** @description The actions that its state allows. */
      allowed_actions: string[];
    };
    BpmVersionSummaryPage: {
      items: components["schemas"]["BpmVersionSummary"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    Card: {
      id: string;
      type: string;
      subtype: string | null;
      name: string;
      description: string | null;
      /** @description Also null if the parent is hidden from the reader. */
      parent_id: string | null;
      /** @description Names of the ancestors, root first; null for hidden ones. */
      path: (string | null)[];
      level: number;
      lifecycle: {
        [key: string]: string;
      };
      lifecycle_phase: string | null;
      attributes: {
        [key: string]: unknown;
      };
      /** @enum {string} */
      status: "ACTIVE" | "ARCHIVED";
      /** @enum {string} */
      approval_status: "DRAFT" | "APPROVED" | "REJECTED" | "BROKEN";
      /** @description Filled weight in percent, of what the caller may see. */
      data_quality: number;
      external_id: string | null;
      alias: string | null;
      tags: components["schemas"]["CardTagValue"][];
      /** @description Stakeholders of the card itself; omitted without `stakeholders.view`. */
      stakeholders?: components["schemas"]["CardStakeholder"][];
      created_by: string | null;
      updated_by: string | null;
      archived_at: string | null;
      created_at: string;
      updated_at: string;
      version: number;
      relations?: components["schemas"]["ExpandedRelations"];
      /** @description With `expand=parent`; null if there is none, or it is hidden from the reader. */
      parent?: components["schemas"]["CardName"] | null;
      children?: components["schemas"]["ExpandedChildren"];
    };
    CardBulk: {
      /**
      * @description Default all_or_nothing.
      * @enum {string}
      */
      mode?: "all_or_nothing" | "per_row";
      operations: components["schemas"]["CardBulkOperation"][];
    };
    CardBulkOperation: {
      /** @enum {string} */
      op: "create" | "update" | "upsert" | "archive" | "restore" | "delete";
      ref?: string;
      id?: string;
      version?: number;
      card?: components["schemas"]["CardBulkOperationCard"];
      /** @description Relations from this card, created or updated as specified here. */
      relations?: components["schemas"]["CardBulkRelation"][];
      /**
      * @description What happens to the children: they are included, lose their parent, or move up to the parent of the card.
      * @enum {string}
      */
      child_strategy?: "cascade" | "disconnect" | "reparent";
    };
    CardBulkOperationCard: {
      type?: string;
      name?: string;
      subtype?: string | null;
      description?: string | null;
      parent_id?: string | null;
      /** @description Dates by phase: plan, phaseIn, active, phaseOut, endOfLife, in this order. */
      lifecycle?: {
        [key: string]: string | null;
      };
      /** @description Values by field key of the card type; `null` removes. */
      attributes?: {
        [key: string]: unknown;
      };
      external_id?: string | null;
      alias?: string | null;
      parent?: components["schemas"]["CardReference"] | null;
      /** @description Relations from this card, created or updated as specified here. */
      relations?: components["schemas"]["CardBulkRelation"][];
    };
    CardBulkRelation: {
      type: string;
      target: components["schemas"]["CardReference"];
      /** @description Values by field key of the relation type. */
      attributes?: {
        [key: string]: unknown;
      };
      description?: string | null;
      valid_from?: string | null;
      valid_to?: string | null;
    };
    CardBulkResult: {
      change_id: string;
      summary: {
        [key: string]: number;
      };
      results: components["schemas"]["CardBulkRow"][];
    };
    CardBulkRow: {
      index: number;
      ref?: string;
      id?: string;
      version?: number;
      /** @enum {string} */
      outcome: "created" | "updated" | "unchanged" | "archived" | "restored" | "deleted" | "failed";
      relations?: components["schemas"]["CardBulkRowRelation"][];
      errors?: components["schemas"]["FieldError"][];
    };
    CardBulkRowRelation: {
      id: string;
      /** @enum {string} */
      outcome: "created" | "updated" | "unchanged";
    };
    CardComment: {
      id: string;
      /** @description The comment to which this is a reply. */
      parent_id: string | null;
      /** @description Empty if the comment was deleted. */
      body: string;
      author: components["schemas"]["CardCommentAuthor"] | null;
      created_at: string;
      edited_at: string | null;
      /** @description A deleted comment with replies is kept without its text. */
      is_deleted: boolean;
      version: number;
    };
    /** @description Null if the account was deleted. */
    CardCommentAuthor: {
      id: string;
      display_name: string;
    };
    CardCommentCreate: {
      /** @description Plain text, 1 to 10,000 characters that are not all blank; never interpreted as HTML. `@[Name](user id)` and `@name@example.org` mention users, at most 50. */
      body: string;
      /** @description A comment of the same card that is not a reply itself. */
      parent_id?: string | null;
    };
    CardCommentPage: {
      items: components["schemas"]["CardComment"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    CardCommentPatch: {
      /** @description Plain text, 1 to 10,000 characters that are not all blank; never interpreted as HTML. `@[Name](user id)` and `@name@example.org` mention users, at most 50. */
      body: string;
    };
    CardCreate: {
      type: string;
      /** @description 1 to 500 characters after trimming. */
      name: string;
      subtype?: string | null;
      description?: string | null;
      parent_id?: string | null;
      /** @description Dates by phase: plan, phaseIn, active, phaseOut, endOfLife, in this order. */
      lifecycle?: {
        [key: string]: string | null;
      };
      /** @description Values by field key of the card type; `null` removes. */
      attributes?: {
        [key: string]: unknown;
      };
      external_id?: string | null;
      alias?: string | null;
    };
    CardDiagram: {
      id: string;
      name: string;
      /** @description Markdown. */
      description: string | null;
      /** @description The group that contains it. */
      group_id: string | null;
      /** @description The number of the current version of its content. */
      content_version: number;
      /** @description Size of the file, uncompressed. */
      bytes: number;
      /** @description Shapes and edges of all pages. */
      cell_count: number;
      page_count: number;
      /** @description Cards of its shapes and linked cards that the caller sees. */
      card_count: number;
      /** @description Of the caller. */
      is_favourite: boolean;
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    CardDiagramPage: {
      items: components["schemas"]["CardDiagram"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    CardDocument: {
      id: string;
      name: string;
      url: string;
      /**
      * @description Default documentation.
      * @enum {string}
      */
      link_type: "documentation" | "diagram" | "contract" | "repository" | "website" | "ticket" | "monitoring" | "other";
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    CardDocumentCreate: {
      /** @description One line; surrounding blanks are removed. */
      name: string;
      /** @description http or https, at most 2,000 characters. */
      url: string;
      /**
      * @description Default documentation.
      * @enum {string}
      */
      link_type?: "documentation" | "diagram" | "contract" | "repository" | "website" | "ticket" | "monitoring" | "other";
    };
    CardDocumentPage: {
      items: components["schemas"]["CardDocument"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    CardDocumentPatch: {
      /** @description One line; surrounding blanks are removed. */
      name?: string;
      /** @description http or https, at most 2,000 characters. */
      url?: string;
      /**
      * @description Default documentation.
      * @enum {string}
      */
      link_type?: "documentation" | "diagram" | "contract" | "repository" | "website" | "ticket" | "monitoring" | "other";
    };
    CardFacet: {
      value: string | null;
      label?: string;
      count: number;
    };
    CardFacets: {
      /** @description When the cards were counted: the counts of more than 50,000 cards may be up to 10 seconds old. */
      computed_at: string;
      total: number;
      /** @description By type, subtype, status, approval_status, tags, and attributes.<key> of each select field; the most frequent values first. */
      facets: {
        [key: string]: components["schemas"]["CardFacet"][];
      };
    };
    CardHierarchy: {
      /** @description Root first. */
      ancestors: components["schemas"]["CardName"][];
      children: components["schemas"]["CardHierarchyChildren"][];
      descendant_count: number;
      /** @description Whether there are more cards below than included. */
      truncated: boolean;
    };
    CardHierarchyChildren: {
      id: string;
      type: string;
      name: string;
      child_count: number;
      /** @description Nested children of the next level, down to `depth`. */
      children?: unknown[];
    };
    CardHistoryChange: {
      field: string;
      old: unknown;
      new: unknown;
    };
    CardHistoryEntry: {
      /** @description The version created by the change; for tags and stakeholders, which do not create versions, the current one. */
      version: number;
      at: string;
      actor: components["schemas"]["PpmHistoryActor"] | null;
      /** @description What caused it: api, import, cron, job … */
      origin: string;
      /** @description The same for all changes made by one request or job. */
      change_id: string;
      request_id: string | null;
      /** @description One entry per field, attribute and lifecycle phase. Costs are omitted for callers who may not see them. */
      changes: components["schemas"]["CardHistoryChange"][];
    };
    CardHistoryPage: {
      items: components["schemas"]["CardHistoryEntry"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    CardImpact: {
      /** @description The cards reached, nearest first, without the card itself. */
      nodes: components["schemas"]["CardImpactNode"][];
      /** @description All relations followed, including those that lead back. */
      edges: components["schemas"]["CardImpactEdge"][];
      /** @description There are more than 5,000 cards or 20,000 relations. */
      truncated: boolean;
    };
    CardImpactEdge: {
      id: string;
      type: string;
      source_id: string;
      target_id: string;
    };
    CardImpactNode: {
      id: string;
      type: string;
      name: string;
      /** @description Distance from the card, in relations. */
      depth: number;
      /** @description Ids of the relations on a shortest path, starting at the card. */
      path: string[];
    };
    /** @description A card of a list. Without `fields` it is a complete `Card`; with it, only the requested members are included. */
    CardItem: {
      id: string;
      type?: string;
      subtype?: string | null;
      name?: string;
      description?: string | null;
      /** @description Also null if the parent is hidden from the reader. */
      parent_id?: string | null;
      /** @description Names of the ancestors, root first; null for hidden ones. */
      path?: (string | null)[];
      level?: number;
      lifecycle?: {
        [key: string]: string;
      };
      lifecycle_phase?: string | null;
      attributes?: {
        [key: string]: unknown;
      };
      /** @enum {string} */
      status?: "ACTIVE" | "ARCHIVED";
      /** @enum {string} */
      approval_status?: "DRAFT" | "APPROVED" | "REJECTED" | "BROKEN";
      /** @description Filled weight in percent, of what the caller may see. */
      data_quality?: number;
      external_id?: string | null;
      alias?: string | null;
      tags?: components["schemas"]["CardTagValue"][];
      /** @description Stakeholders of the card itself; omitted without `stakeholders.view`. */
      stakeholders?: components["schemas"]["CardStakeholder"][];
      created_by?: string | null;
      updated_by?: string | null;
      archived_at?: string | null;
      created_at?: string;
      updated_at?: string;
      version?: number;
      relations?: components["schemas"]["ExpandedRelations"];
      /** @description With `expand=parent`; null if there is none, or it is hidden from the reader. */
      parent?: components["schemas"]["CardName"] | null;
      children?: components["schemas"]["ExpandedChildren"];
    };
    CardName: {
      id: string;
      type: string;
      name: string;
    };
    CardPage: {
      items: components["schemas"]["CardItem"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    /** @description JSON Merge Patch (RFC 7396): absent members are unchanged, `null` removes a value, also inside `attributes` and `lifecycle`. */
    CardPatch: {
      /** @description 1 to 500 characters after trimming. */
      name?: string;
      subtype?: string | null;
      description?: string | null;
      parent_id?: string | null;
      /** @description Dates by phase: plan, phaseIn, active, phaseOut, endOfLife, in this order. */
      lifecycle?: {
        [key: string]: string | null;
      };
      /** @description Values by field key of the card type; `null` removes. */
      attributes?: {
        [key: string]: unknown;
      };
      external_id?: string | null;
      alias?: string | null;
    };
    CardPermission: {
      allowed: boolean;
      because: string;
      /**
      * @description Kind of the rule that decides.
      * @enum {string}
      */
      by: "role" | "type_rule" | "stakeholder_role" | "api_token" | "account" | "none";
    };
    CardPermissions: {
      /** @description By permission: those stakeholder roles can grant, and those on cards that only a role grants. Where an inherited role grants it, the card above is named. */
      can: {
        [key: string]: components["schemas"]["CardPermission"];
      };
    };
    /** @description `{id}`, `{type, external_id}` or `{type, path, name}`. */
    CardPointer: {
      id?: string;
      type?: string;
      external_id?: string;
      name?: string;
      /** @description Names of the ancestors, root first, as a list or joined by ` / `; empty for a card without a parent. Without it the name must be unique among cards of the type. */
      path?: string[] | string;
    };
    /** @description `{id}`, `{ref}` of an operation of the call, `{type, external_id}` or `{type, path, name}`. */
    CardReference: {
      id?: string;
      type?: string;
      external_id?: string;
      name?: string;
      /** @description Names of the ancestors, root first, as a list or joined by ` / `; empty for a card without a parent. Without it the name must be unique among cards of the type. */
      path?: string[] | string;
      ref?: string;
    };
    CardSection: {
      /** @description The module’s id and the section’s key within it. */
      id: string;
      /** @description Id of the module that provides the section. */
      module: string;
      title: string;
      /** @description Described by the module; null if it could not be loaded. */
      value: unknown;
      error: "unavailable" | null;
    };
    CardSectionPage: {
      items: components["schemas"]["CardSection"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    CardSoaw: {
      id: string;
      title: string;
      /** @description The template of the workspace with whose sections it begins; null: the one of TOGAF. */
      template_id: string | null;
      /** @description The links with cards visible to the caller. */
      cards: components["schemas"]["SoawCard"][];
      /** @description Without gaps; all revisions of a document have the same one. */
      number: string;
      /**
      * @description draft → in_review → signed → superseded; only a draft can be changed or deleted.
      * @enum {string}
      */
      status: "draft" | "in_review" | "signed" | "superseded";
      /** @description Counts the documents of one number. */
      revision: number;
      /** @description The signed document this one revises. */
      revision_of: string | null;
      /** @description SHA-256 over the content, frozen when signatures were requested; null for a draft. */
      content_hash: string | null;
      signed_at: string | null;
      /** @description In the order they were named; none for a draft. */
      signatories: components["schemas"]["AdrSignatory"][];
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    CardSoawPage: {
      items: components["schemas"]["CardSoaw"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    CardStakeholder: {
      id: string;
      user_id: string;
      role: string;
      display_name: string;
    };
    CardStakeholderCreate: {
      user_id: string;
      role: string;
    };
    CardStakeholderPage: {
      items: components["schemas"]["CardStakeholder"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    CardTag: {
      id: string;
      group_id: string;
      group_name: string;
      name: string;
      color: string | null;
    };
    CardTagPage: {
      items: components["schemas"]["CardTag"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    CardTagValue: {
      id: string;
      group_id: string;
      name: string;
      color: string | null;
    };
    CardTagsReplacement: {
      /** @description All tags of the card; other tags are removed. */
      tag_ids: string[];
    };
    CardTodo: {
      id: string;
      title: string;
      /** @enum {string} */
      status: "open" | "done";
      assignee_id: string | null;
      due_date: string | null;
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    CardTodoCreate: {
      /** @description One line; surrounding blanks are removed. */
      title: string;
      /** @enum {string} */
      status?: "open" | "done";
      /** @description An active user; the caller if it is not sent. Another user, or none (`null`), requires `todos.manage`. */
      assignee_id?: string | null;
      due_date?: string | null;
    };
    CardTodoPage: {
      items: components["schemas"]["CardTodo"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    CardTodoPatch: {
      /** @description One line; surrounding blanks are removed. */
      title?: string;
      /** @enum {string} */
      status?: "open" | "done";
      /** @description An active user; the caller if it is not sent. Another user, or none (`null`), requires `todos.manage`. */
      assignee_id?: string | null;
      due_date?: string | null;
    };
    CardType: {
      key: string;
      label: string;
      description?: string;
      icon?: string;
      color?: string;
      category: string;
      has_hierarchy: boolean;
      max_level?: number;
      allowed_parent_types: string[];
      subtypes: components["schemas"]["CardTypeSubtype"][];
      sections: components["schemas"]["CardTypeSection"][];
      quality_weights: {
        [key: string]: number;
      };
      approval_policy: components["schemas"]["CardTypeApprovalPolicy"];
      stakeholder_roles: components["schemas"]["CardTypeStakeholderRole"][];
      archimate?: string[];
      translations: {
        [key: string]: {
          [key: string]: string;
        };
      };
      is_hidden: boolean;
      built_in: boolean;
      sort_order: number;
      updated_at: string;
      version: number;
    };
    CardTypeApprovalPolicy: {
      four_eyes: boolean;
    };
    CardTypeApprovalPolicyInput: {
      /** @description The user who last edited a card may not approve it. */
      four_eyes?: boolean;
    };
    CardTypeCreate: {
      /** @description A letter, then letters, digits and underscores, at most 63. */
      key: string;
      label: string;
      description?: string;
      icon?: string;
      color?: string;
      max_level?: number;
      category?: string;
      has_hierarchy?: boolean;
      /** @description Default: the type itself, if the type has a hierarchy. */
      allowed_parent_types?: string[];
      subtypes?: components["schemas"]["CardTypeSubtypeInput"][];
      /** @description At most 500 fields in total. */
      sections?: components["schemas"]["CardTypeSectionInput"][];
      /** @description Default: `responsible` and `observer`. */
      stakeholder_roles?: components["schemas"]["StakeholderRoleCreate"][];
      /** @description ArchiMate 3.2 element kinds an import maps to this type. */
      archimate?: string[];
      approval_policy?: components["schemas"]["CardTypeApprovalPolicyInput"];
      is_hidden?: boolean;
      sort_order?: number;
      quality_weights?: components["schemas"]["CardTypeQualityWeights"];
      /** @description By locale, then by the translated member, such as `label` or `fields.costBudget`. */
      translations?: {
        [key: string]: {
          [key: string]: string;
        };
      };
    };
    CardTypePage: {
      items: components["schemas"]["CardType"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    /** @description JSON Merge Patch; lists are replaced as a whole. */
    CardTypePatch: {
      label?: string;
      description?: string | null;
      icon?: string | null;
      color?: string | null;
      max_level?: number | null;
      category?: string;
      has_hierarchy?: boolean;
      /** @description Default: the type itself, if the type has a hierarchy. */
      allowed_parent_types?: string[];
      subtypes?: components["schemas"]["CardTypeSubtypeInput"][];
      /** @description At most 500 fields in total. */
      sections?: components["schemas"]["CardTypeSectionInput"][];
      /** @description Default: `responsible` and `observer`. */
      stakeholder_roles?: components["schemas"]["StakeholderRoleCreate"][];
      /** @description ArchiMate 3.2 element kinds an import maps to this type. */
      archimate?: string[];
      approval_policy?: components["schemas"]["CardTypeApprovalPolicyInput"];
      is_hidden?: boolean;
      sort_order?: number;
      quality_weights?: components["schemas"]["CardTypeQualityWeightsInput"];
      translations?: {
        [key: string]: {
          [key: string]: string | null;
        } | null;
      };
    };
    /** @description Default: 1 each. */
    CardTypeQualityWeights: {
      /** @description Weight in data quality; 0 excludes it. */
      description?: number;
      /** @description Weight in data quality; 0 excludes it. */
      lifecycle?: number;
      /** @description Weight in data quality; 0 excludes it. */
      relation?: number;
      /** @description Weight in data quality; 0 excludes it. */
      tag_group?: number;
      /** @description Weight in data quality; 0 excludes it. */
      stakeholder_role?: number;
    };
    /** @description Default: 1 each. */
    CardTypeQualityWeightsInput: {
      /** @description Weight in data quality; 0 excludes it. */
      description?: number | null;
      /** @description Weight in data quality; 0 excludes it. */
      lifecycle?: number | null;
      /** @description Weight in data quality; 0 excludes it. */
      relation?: number | null;
      /** @description Weight in data quality; 0 excludes it. */
      tag_group?: number | null;
      /** @description Weight in data quality; 0 excludes it. */
      stakeholder_role?: number | null;
    };
    CardTypeSection: {
      key: string;
      label: string;
      fields: components["schemas"]["FieldDefinition"][];
    };
    CardTypeSectionInput: {
      /** @description A letter, then letters, digits and underscores, at most 63. */
      key: string;
      label?: string;
      fields?: components["schemas"]["FieldDefinitionInput"][];
    };
    CardTypeStakeholderRole: {
      key: string;
      label: string;
      permissions: {
        [key: string]: boolean;
      };
      inherited?: boolean;
    };
    CardTypeSubtype: {
      key: string;
      label: string;
      hidden_fields: string[];
    };
    CardTypeSubtypeInput: {
      /** @description A letter, then letters, digits and underscores, at most 63. */
      key: string;
      label?: string;
      hidden_fields?: string[];
    };
    /** @description Archived cards are included, because they can be restored. */
    CardTypeUsage: {
      cards: number;
      active: number;
      archived: number;
      fields: components["schemas"]["CardTypeUsageField"][];
      subtypes: components["schemas"]["CardTypeUsageFieldOption"][];
      stakeholder_roles: components["schemas"]["CardTypeUsageStakeholderRole"][];
    };
    CardTypeUsageField: {
      key: string;
      /** @description Cards with a value; null for a cost the caller may not see. */
      cards: number | null;
      options?: components["schemas"]["CardTypeUsageFieldOption"][];
    };
    CardTypeUsageFieldOption: {
      key: string;
      cards: number;
    };
    CardTypeUsageStakeholderRole: {
      key: string;
      stakeholders: number;
    };
    ChangePasswordBody: {
      current_password: string;
      /** @description At least 10 characters; very common passwords are not allowed. */
      new_password: string;
    };
    CmdbsyncConnection: {
      id: string;
      name: string;
      /** @description Key of a connector. */
      connector: string;
      /** @description The settings of the connector, as the schema in the list of connectors says. */
      config?: {
        [key: string]: unknown;
      };
      /** @description By name. In requests a value, `true` to keep the stored one, or null to remove it; secrets that are not sent are kept. In responses `true` for each that is set, as `stored_secrets` says it: values are never returned. */
      secrets?: {
        [key: string]: (string | boolean) | null;
      };
      /** @default 10 */
      max_requests_per_second: number;
      last_test?: components["schemas"]["CmdbsyncConnectionLastTest"] | null;
      /** @description The secrets of the connector and those that are stored, by name: whether each is set. */
      stored_secrets?: {
        [key: string]: components["schemas"]["CmdbsyncConnectionStoredSecret"];
      };
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    CmdbsyncConnectionCreate: {
      name: string;
      /** @description Key of a connector. */
      connector: string;
      /** @description The settings of the connector, as the schema in the list of connectors says. */
      config: {
        [key: string]: unknown;
      };
      /**
      * @description By name. In requests a value, `true` to keep the stored one, or null to remove it; secrets that are not sent are kept. In responses `true` for each that is set, as `stored_secrets` says it: values are never returned.
      * @default {}
      */
      secrets?: {
        [key: string]: (string | boolean) | null;
      };
      /** @default 10 */
      max_requests_per_second?: number;
    };
    CmdbsyncConnectionLastTest: {
      tested_at: string;
      ok: boolean;
      /** @description What was found, or why the test failed. */
      detail: string;
    };
    CmdbsyncConnectionPage: {
      items: components["schemas"]["CmdbsyncConnection"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    CmdbsyncConnectionPatch: {
      name?: string;
      /** @description Key of a connector. */
      connector?: string;
      /** @description The settings of the connector, as the schema in the list of connectors says. */
      config?: {
        [key: string]: unknown;
      };
      /**
      * @description By name. In requests a value, `true` to keep the stored one, or null to remove it; secrets that are not sent are kept. In responses `true` for each that is set, as `stored_secrets` says it: values are never returned.
      * @default {}
      */
      secrets?: {
        [key: string]: (string | boolean) | null;
      };
      /** @default 10 */
      max_requests_per_second?: number;
    };
    CmdbsyncConnectionStoredSecret: {
      is_set: boolean;
    };
    CmdbsyncConnector: {
      key: string;
      title: string;
      description: string;
      /** @description Id of the module that provides it. */
      module: string;
      /** @description JSON Schema of the settings. */
      config: {
        [key: string]: unknown;
      };
      secrets: components["schemas"]["CmdbsyncConnectorSecret"][];
    };
    CmdbsyncConnectorPage: {
      items: components["schemas"]["CmdbsyncConnector"][];
    };
    CmdbsyncConnectorSecret: {
      name: string;
      description: string;
      is_required: boolean;
    };
    CmdbsyncField: {
      key: string;
      label: string;
      /** @enum {string} */
      type: "text" | "number" | "boolean" | "date" | "datetime" | "reference" | "references" | "list" | "object";
      /** @description Of a reference: key of the table, if it is known. */
      references: string | null;
      is_writable: boolean;
      /** @description Targets and relation types of the mapping in the query. */
      mapped_to: string[];
    };
    CmdbsyncFieldDiff: {
      /** @description The target of the field map. */
      field: string;
      /** @description At the last synchronisation; missing in the first one. */
      base?: unknown;
      cmdb?: unknown;
      ea?: unknown;
      /**
      * @description Whose value is written to the other side; `conflict`: both have changed, and a person decides.
      * @enum {string}
      */
      take: "cmdb" | "ea" | "value" | "conflict";
      /** @description With `take` = `value`: the value that a person has chosen. */
      value?: unknown;
      /** @description The values are costs that the caller may not see. Only `true`. */
      is_withheld?: boolean;
    };
    CmdbsyncFieldPage: {
      items: components["schemas"]["CmdbsyncField"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    CmdbsyncIdentity: {
      id: string;
      mapping_id: string;
      external_id: string;
      card: components["schemas"]["PpmTaskInitiative"];
      linked_at: string | null;
    };
    CmdbsyncIdentityPage: {
      items: components["schemas"]["CmdbsyncIdentity"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    CmdbsyncMapping: {
      id: string;
      name: string;
      connection_id: string;
      card_type: string;
      /** @description Key of a table of the connection. */
      table: string;
      /** @description In the language of the other system. */
      filter: string | null;
      /**
      * @default pull
      * @enum {string}
      */
      direction: "pull" | "push" | "both";
      fields: components["schemas"]["CmdbsyncMappingField"][];
      /**
      * @description Tried in order for a record that has no card yet: a card with the same value of the target is the same.
      * @default []
      */
      identity: components["schemas"]["CmdbsyncMappingIdentity"][];
      /** @default [] */
      relations: components["schemas"]["CmdbsyncMappingRelation"][];
      /**
      * @description Whether cards without a record create one in the other system.
      * @default false
      */
      creates_remote: boolean;
      /**
      * @default ignore
      * @enum {string}
      */
      delete_policy: "ignore" | "archive";
      /**
      * @description Largest share of the linked cards that one run archives without review.
      * @default 0.1
      */
      delete_ratio: number;
      /**
      * @description Whether cards with similar names are proposed for review.
      * @default false
      */
      proposes_matches: boolean;
      /**
      * @description Whether scheduled runs apply what needs no decision.
      * @default false
      */
      auto_apply: boolean;
      /** @description A cron expression of five fields, in the time zone. */
      schedule: string | null;
      /**
      * @description Of IANA.
      * @default UTC
      */
      time_zone: string;
      /**
      * @description Whether the schedule is followed.
      * @default true
      */
      is_enabled: boolean;
      /** @description The user who is notified. */
      owner_id: string | null;
      /** @description The service account whose rights the runs have. */
      runs_as: string | null;
      next_run_at: string | null;
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    CmdbsyncMappingCreate: {
      name: string;
      connection_id: string;
      card_type: string;
      /** @description Key of a table of the connection. */
      table: string;
      /** @description In the language of the other system. */
      filter?: string | null;
      /**
      * @default pull
      * @enum {string}
      */
      direction?: "pull" | "push" | "both";
      fields: components["schemas"]["CmdbsyncMappingField"][];
      /**
      * @description Tried in order for a record that has no card yet: a card with the same value of the target is the same.
      * @default []
      */
      identity?: components["schemas"]["CmdbsyncMappingIdentity"][];
      /** @default [] */
      relations?: components["schemas"]["CmdbsyncMappingRelation"][];
      /**
      * @description Whether cards without a record create one in the other system.
      * @default false
      */
      creates_remote?: boolean;
      /**
      * @default ignore
      * @enum {string}
      */
      delete_policy?: "ignore" | "archive";
      /**
      * @description Largest share of the linked cards that one run archives without review.
      * @default 0.1
      */
      delete_ratio?: number;
      /**
      * @description Whether cards with similar names are proposed for review.
      * @default false
      */
      proposes_matches?: boolean;
      /**
      * @description Whether scheduled runs apply what needs no decision.
      * @default false
      */
      auto_apply?: boolean;
      /** @description A cron expression of five fields, in the time zone. */
      schedule?: string | null;
      /**
      * @description Of IANA.
      * @default UTC
      */
      time_zone?: string;
      /**
      * @description Whether the schedule is followed.
      * @default true
      */
      is_enabled?: boolean;
      /** @description The user who is notified. */
      owner_id?: string | null;
      /** @description The service account whose rights the runs have. */
      runs_as?: string | null;
    };
    CmdbsyncMappingField: {
      /** @description Key of a field of the other system, or path of a member, such as `site.name`. May be empty for a template or an expression. */
      source: string;
      /** @description `name`, `description`, `alias`, `external_id`, `subtype`, `lifecycle.<phase>` or `attributes.<key>`. */
      target: string;
      /**
      * @description Whose value counts where the two differ.
      * @enum {string}
      */
      owner: "cmdb" | "ea";
      transform: components["schemas"]["CmdbsyncMappingFieldTransform"];
    };
    /** @description The members that belong to its kind. `otherwise` is the value of a value_map for all other values; without it these stay as they are. */
    CmdbsyncMappingFieldTransform: {
      /** @enum {string} */
      kind: "direct" | "value_map" | "date" | "boolean" | "number" | "template" | "expression";
      /** @description Of value_map: values of the card by the text of the value in the other system. */
      values?: {
        [key: string]: string | number | boolean | null;
      };
      otherwise?: string | number | boolean | null;
      /**
      * @description Of date. Default: iso.
      * @enum {string}
      */
      format?: "iso" | "dd.mm.yyyy" | "mm/dd/yyyy" | "epoch_seconds";
      /** @description Of boolean. */
      true_values?: string[];
      /** @description Of number. Not 0. */
      factor?: number;
      /** @description Of number. */
      decimals?: number;
      /** @description Of template: a text with fields in braces, such as `{name} ({serial})`. */
      template?: string;
      /** @description Of expression: CEL over `record`, `value` and the `id` of the record. */
      expression?: string;
    };
    CmdbsyncMappingIdentity: {
      /** @description `name`, `description`, `alias`, `external_id`, `subtype`, `lifecycle.<phase>` or `attributes.<key>`. */
      target: string;
    };
    CmdbsyncMappingPage: {
      items: components["schemas"]["CmdbsyncMapping"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    CmdbsyncMappingPatch: {
      name?: string;
      /** @description In the language of the other system. */
      filter?: string | null;
      /**
      * @default pull
      * @enum {string}
      */
      direction?: "pull" | "push" | "both";
      fields?: components["schemas"]["CmdbsyncMappingField"][];
      /**
      * @description Tried in order for a record that has no card yet: a card with the same value of the target is the same.
      * @default []
      */
      identity?: components["schemas"]["CmdbsyncMappingIdentity"][];
      /** @default [] */
      relations?: components["schemas"]["CmdbsyncMappingRelation"][];
      /**
      * @description Whether cards without a record create one in the other system.
      * @default false
      */
      creates_remote?: boolean;
      /**
      * @default ignore
      * @enum {string}
      */
      delete_policy?: "ignore" | "archive";
      /**
      * @description Largest share of the linked cards that one run archives without review.
      * @default 0.1
      */
      delete_ratio?: number;
      /**
      * @description Whether cards with similar names are proposed for review.
      * @default false
      */
      proposes_matches?: boolean;
      /**
      * @description Whether scheduled runs apply what needs no decision.
      * @default false
      */
      auto_apply?: boolean;
      /** @description A cron expression of five fields, in the time zone. */
      schedule?: string | null;
      /**
      * @description Of IANA.
      * @default UTC
      */
      time_zone?: string;
      /**
      * @description Whether the schedule is followed.
      * @default true
      */
      is_enabled?: boolean;
      /** @description The user who is notified. */
      owner_id?: string | null;
      /** @description The service account whose rights the runs have. */
      runs_as?: string | null;
    };
    CmdbsyncMappingRelation: {
      key: string;
      /** @description Key of a field of the other system, or path of a member, such as `site.name`. */
      source: string;
      /** @description The table whose records the reference names. */
      target_table: string;
      /** @description Key of a relation type, or `parent`. */
      relation_type: string;
      /**
      * @description The end of the relation at which the card of this mapping is; of a parent `source`.
      * @enum {string}
      */
      card_end: "source" | "target";
    };
    CmdbsyncMappingsFromTemplate: {
      /** @description In the order in which the mappings are best run. */
      ids: string[];
    };
    CmdbsyncMappingsFromTemplateCreate: {
      /** @enum {string} */
      template: "netbox" | "servicenow";
      /** @description The service account whose rights the runs have. */
      runs_as?: string | null;
      /** @description The user who is notified. */
      owner_id?: string | null;
      schedule?: string | null;
      time_zone?: string;
      auto_apply?: boolean;
    };
    CmdbsyncPreviewRecord: {
      external_id: string;
      raw: {
        [key: string]: unknown;
      };
      values: {
        [key: string]: unknown;
      };
      references: {
        [key: string]: string[];
      };
      errors: components["schemas"]["CmdbsyncPreviewRecordError"][];
      card: components["schemas"]["CmdbsyncPreviewRecordCard"] | null;
    };
    CmdbsyncPreviewRecordCard: {
      id: string;
      name: string;
      /**
      * @description identity: the record was synchronised before; otherwise the target of the identity key.
      * @enum {string}
      */
      matched_by: "identity" | "external_id" | "name";
    };
    CmdbsyncPreviewRecordError: {
      field: string;
      reason: string;
    };
    CmdbsyncPreviewRecordPage: {
      items: components["schemas"]["CmdbsyncPreviewRecord"][];
      /** @description Targets that are costs which the caller may not see. */
      withheld: string[];
    };
    CmdbsyncProposal: {
      card_id: string;
      name: string;
      score: number;
    };
    CmdbsyncRecord: {
      id: string;
      run_id: string;
      mapping_id: string;
      external_id: string | null;
      card_id: string | null;
      card_type: string;
      /** @description Name of the card, or the one that it gets. */
      name: string | null;
      /** @enum {string} */
      action: "create" | "update" | "archive" | "conflict" | "skip" | "error";
      /**
      * @description Where it changes something.
      * @enum {string}
      */
      side: "card" | "cmdb";
      /**
      * @description pending: waits for a decision; approved: is applied soon; sent: a creation in the other system without an answer yet; reported: nothing is applied, as in a dry run.
      * @enum {string}
      */
      state: "pending" | "approved" | "sent" | "applied" | "resolved" | "failed" | "superseded" | "reported";
      diff: components["schemas"]["CmdbsyncFieldDiff"][];
      /** @description Cards that may be the same as the record. */
      proposals: components["schemas"]["CmdbsyncProposal"][];
      reason: string | null;
      decided_by: string | null;
      decided_at: string | null;
      applied_at: string | null;
    };
    CmdbsyncRecordPage: {
      items: components["schemas"]["CmdbsyncRecord"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    CmdbsyncResolve: {
      /**
      * @description Of a conflict: the value of the other system, of the card, or the given ones. Of a record without a card: `link` it to one, or `create` one. Of a creation in the other system whose outcome is not known: `create` it again. `skip`: nothing is done in this run.
      * @enum {string}
      */
      take: "cmdb" | "ea" | "value" | "link" | "create" | "skip";
      /** @description The fields that are decided; default: all conflicts of the record. */
      fields?: string[];
      /** @description With `take` = `value`: by field. */
      values?: {
        [key: string]: unknown;
      };
      /** @description With `take` = `link`. */
      card_id?: string;
    };
    CmdbsyncRun: {
      id: string;
      mapping_id: string;
      /** @description Name of the mapping. */
      mapping: string;
      /**
      * @description queued, reading and applying are active; review: records wait for a decision; done, failed and cancelled have ended.
      * @enum {string}
      */
      state: "queued" | "reading" | "applying" | "review" | "done" | "failed" | "cancelled";
      /** @enum {string} */
      direction: "pull" | "push" | "both";
      /** @description Whether all records are read, not only those changed since the last run. */
      is_full: boolean;
      /** @description Whether it only reports what would be done. */
      dry_run: boolean;
      /** @description Whether records that need no decision are applied at once. */
      auto_apply: boolean;
      /** @description The user; null for a run by schedule. */
      started_by: string | null;
      slot: string | null;
      /** @description Pages read. */
      pages: number;
      /** @description Number of records, as the other system told it. */
      total: number | null;
      /** @description Whether more cards would be archived than the ratio of the mapping allows; these wait for a decision. */
      guard_tripped: boolean;
      /** @description Numbers of records: read, unchanged, create, update, archive, conflict, skip, error; remote_create and remote_update: to be written to the other system; applied, pushed and failed: written to cards, to the other system, and neither; of references: linked, unlinked, unresolved. */
      counts: {
        [key: string]: number;
      };
      error: components["schemas"]["CmdbsyncRunError"] | null;
      created_at: string;
      started_at: string | null;
      finished_at: string | null;
      version: number;
    };
    CmdbsyncRunError: {
      code: string;
      detail: string;
    };
    CmdbsyncRunPage: {
      items: components["schemas"]["CmdbsyncRun"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    CmdbsyncRunReport: {
      run: components["schemas"]["CmdbsyncRun"];
      /** @description Name of the connection. */
      connection: string;
      card_type: string;
      table: string;
      /** @description Numbers of records by what was to be done, where, and what became of it. */
      records: components["schemas"]["CmdbsyncRunReportRecord"][];
      /** @description The most frequent reasons why records were skipped, failed or wait; at most 50. */
      reasons: components["schemas"]["CmdbsyncRunReportReason"][];
    };
    CmdbsyncRunReportReason: {
      reason: string;
      count: number;
    };
    CmdbsyncRunReportRecord: {
      action: string;
      side: string;
      state: string;
      count: number;
    };
    CmdbsyncRunStart: {
      /**
      * @description One that the mapping has; default: its direction.
      * @enum {string}
      */
      direction?: "pull" | "push" | "both";
      /**
      * @description Reads all records, or with the direction push those of all linked cards. The first run of a mapping that reads always does.
      * @default false
      */
      full?: boolean;
      /** @default false */
      dry_run?: boolean;
      /** @description Default: as the mapping says. */
      auto_apply?: boolean;
    };
    CmdbsyncTable: {
      key: string;
      label: string;
      /** @description Null if the other system does not tell it. */
      records: number | null;
      /** @description Ids of the mappings that read it; none: it is not mapped. */
      mapped_by: string[];
    };
    CmdbsyncTablePage: {
      items: components["schemas"]["CmdbsyncTable"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    CmdbsyncTemplate: {
      /** @enum {string} */
      key: "netbox" | "servicenow";
      title: string;
      description: string;
      /** @description Key of the connector that it is for. */
      connector: string;
      mappings: components["schemas"]["CmdbsyncTemplateMapping"][];
    };
    CmdbsyncTemplateMapping: {
      name: string;
      table: string;
      card_type: string;
    };
    CmdbsyncTemplatePage: {
      items: components["schemas"]["CmdbsyncTemplate"][];
    };
    ComparePpmBaseline: {
      id: string;
      /** @description In the plan of now; null for removed items. */
      outline: string | null;
      /** @enum {string} */
      difference: "added" | "removed" | "changed" | "unchanged";
      changed: ("title" | "parent_id" | "is_milestone" | "start_date" | "finish_date" | "duration_days" | "planned_cost")[];
      /** @description Working days. Positive if the item now starts later. */
      start_difference: number | null;
      /** @description Working days. Positive if the item now finishes later. */
      finish_difference: number | null;
      before: components["schemas"]["ComparePpmBaselineBefore"] | null;
      now: components["schemas"]["ComparePpmBaselineBefore"] | null;
    };
    ComparePpmBaselineBefore: {
      title: string;
      parent_id: string | null;
      is_milestone: boolean;
      start_date: string | null;
      finish_date: string | null;
      duration_days: number | null;
      completion: number;
      /** @description Only for callers who may see the costs of the initiative. */
      planned_cost?: number | null;
      planned_currency?: string | null;
    };
    ComparePpmBaselinePage: {
      baseline: components["schemas"]["ComparePpmBaselinePageBaseline"];
      summary: components["schemas"]["ComparePpmBaselinePageSummary"];
      /** @description Whether amounts are left out because the caller may not see them. */
      amounts_withheld: boolean;
      truncated: boolean;
      /** @description Items of now in the order of the tree, then removed ones. */
      items: components["schemas"]["ComparePpmBaseline"][];
    };
    ComparePpmBaselinePageBaseline: {
      id: string;
      name: string;
      created_at: string;
    };
    ComparePpmBaselinePageSummary: {
      added: number;
      removed: number;
      changed: number;
      unchanged: number;
      baseline_finish: string | null;
      finish: string | null;
      /** @description Working days. Positive if the plan now finishes later. */
      finish_difference: number | null;
      /** @description In the currency of the workspace. */
      baseline_planned_cost?: number | null;
      planned_cost?: number | null;
      /** @description Currencies without an exchange rate; their amounts are left out. */
      missing_rates?: string[];
    };
    CompleteRiskOccurrenceBody: {
      /**
      * @description Default done.
      * @enum {string}
      */
      outcome?: "done" | "skipped";
      comment?: string;
    };
    ConfirmEmailChangeBody: {
      /** @description From the link of the mail, after `#token=`. */
      token: string;
    };
    ConfirmEmailChangeResult: {
      /** @description Whether the address was changed; false: the other address must confirm too. */
      applied: boolean;
    };
    ConnectionResult: {
      ok: boolean;
      /** @description Duration in milliseconds. */
      latency_ms: number;
      /** @description The result as text. */
      detail: string;
    };
    CostReport: {
      field: string;
      label: string;
      currency: string | null;
      /** @description Of all matching cards with a visible value. */
      total: number | null;
      count: number;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
      group_by: string;
      /** @description What the groups are. */
      group_label: string;
      groups: components["schemas"]["CostReportGroup"][];
      /** @description Whether there are more than 500 groups. */
      truncated: boolean;
      /** @description Sums of the last 365 days, from figures stored each day; null with other filters than `type`, and for callers who do not see all costs. */
      trend: components["schemas"]["CostReportTrend"][] | null;
    };
    /** @description By sum. A group of cards has the sum of the cards below it as well, each card once. A card that is in several groups counts in each. */
    CostReportGroup: {
      /** @description A value, or the id of a card; null for cards without one. */
      key: string | null;
      label: string;
      color?: string;
      /** @description Name of a Material Symbol, as in the metamodel. */
      icon?: string;
      sum: number | null;
      count: number;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
      children?: Record<string, unknown>[];
    };
    CostReportTrend: {
      date: string;
      sum: number | null;
    };
    CountUnreadNotificationsResult: {
      unread: number;
    };
    CreateTokenResult: {
      /** @description The claim `jti` of the token. */
      id: string;
      /** @description The user as whom it acts. */
      user_id: string;
      name: string;
      permissions: string[];
      address_ranges: string[];
      /** @description Who made it; null: the account was deleted. */
      created_by: string | null;
      created_at: string;
      expires_at: string;
      /** @description To the minute. */
      last_used_at: string | null;
      /** @description JSON Web Token, for `Authorization: Bearer`. It is not stored, and not shown again. */
      token: string;
    };
    DashboardReport: {
      total: number;
      /** @description With more than 50,000 cards, the answer may be up to 10 seconds old. */
      computed_at?: string;
      href: string;
      by_type: components["schemas"]["DashboardReportByType"][];
      by_approval: components["schemas"]["DashboardReportByApproval"][];
      /** @description complete (≥ 80), partial (40 – < 80), minimal (< 40). */
      by_quality: components["schemas"]["DashboardReportByApproval"][];
      /** @description By the phase of today; the key null for cards without one. */
      by_lifecycle: components["schemas"]["DashboardReportByApproval"][];
      /** @description The cards that changed last, 10 at most. */
      recent: components["schemas"]["DashboardReportRecent"][];
      /** @description The last 30 days, from figures stored each day; null with other filters than `type`. Scores leave out costs unless the caller may see all of them. */
      trend: components["schemas"]["DashboardReportTrend"][] | null;
    };
    DashboardReportByApproval: {
      key: string | null;
      label: string;
      color?: string;
      count: number;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
    };
    DashboardReportByType: {
      type: string;
      label: string;
      color?: string;
      /** @description Name of a Material Symbol, as in the metamodel. */
      icon?: string;
      count: number;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
    };
    DashboardReportRecent: {
      id: string;
      type: string;
      name: string;
      href: string;
      updated_at: string;
    };
    DashboardReportTrend: {
      date: string;
      total: number;
      approved: number;
      average_quality: number | null;
    };
    DataQualityReport: {
      total: number;
      href: string;
      /** @description Mean score, 0 to 100. */
      average: number | null;
      /** @description Scores of at least 80 are complete, of 40 to less than 80 partial, others minimal. */
      by_type: components["schemas"]["DataQualityReportByType"][];
      /** @description At most 20. */
      worst: components["schemas"]["DataQualityReportWorst"][];
      orphans: components["schemas"]["DataQualityReportOrphans"] | null;
      stale: components["schemas"]["DataQualityReportStale"];
      /** @description With one card type: how many of its cards have no value in a field, most first. */
      missing: components["schemas"]["DataQualityReportMissing"][];
      /** @description Users with a stakeholder role on the cards, 100 at most; null for callers who may not see stakeholders. */
      by_owner: components["schemas"]["DataQualityReportByOwner"][] | null;
    };
    DataQualityReportByOwner: {
      user: components["schemas"]["UserDirectoryEntry"];
      count: number;
      average: number;
      href: string | null;
    };
    DataQualityReportByType: {
      type: string;
      label: string;
      color?: string;
      /** @description Name of a Material Symbol, as in the metamodel. */
      icon?: string;
      count: number;
      average: number;
      complete: number;
      partial: number;
      minimal: number;
      href: string;
      hrefs: components["schemas"]["DataQualityReportByTypeHrefs"];
    };
    DataQualityReportByTypeHrefs: {
      complete: string;
      partial: string;
      minimal: string;
    };
    DataQualityReportMissing: {
      type: string;
      label: string;
      color?: string;
      /** @description Name of a Material Symbol, as in the metamodel. */
      icon?: string;
      field: string;
      field_label: string;
      count: number;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
    };
    /** @description Cards without a relation; null without relations.view. */
    DataQualityReportOrphans: {
      count: number;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
    };
    DataQualityReportStale: {
      count: number;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
      /** @description Cards that have not changed since. */
      before: string;
    };
    DataQualityReportWorst: {
      id: string;
      type: string;
      name: string;
      href: string;
      data_quality: number;
    };
    DecideCardBody: {
      /** @enum {string} */
      action: "approve" | "reject" | "reset";
      comment?: string;
    };
    DependenciesReport: {
      card_id: string | null;
      type: string | null;
      depth: number;
      /** @enum {string} */
      direction: "downstream" | "upstream" | "both";
      /** @description Nearest first. */
      nodes: components["schemas"]["DependenciesReportNode"][];
      edges: components["schemas"]["DependenciesReportEdge"][];
      /** @description The nodes from the first layer to the last one. A relation that closes a cycle has no influence. */
      layers: components["schemas"]["DependenciesReportLayer"][];
      types: components["schemas"]["DependenciesReportType"][];
      /** @description Number of cards of the type; null with `card_id`. */
      total: number | null;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
      /** @description There are more than 500 cards or 2,000 relations: the nearest are shown. */
      truncated: boolean;
    };
    DependenciesReportEdge: {
      id: string;
      type: string;
      source_id: string;
      target_id: string;
      /** @description Of the relation type, as seen from the source. */
      label: string;
      href: string;
    };
    DependenciesReportLayer: {
      layer: number;
      types: string[];
      ids: string[];
    };
    DependenciesReportNode: {
      id: string;
      name: string;
      type: string;
      /** @description Distance in relations; 0 for the card, or those of the type. */
      depth: number;
      /** @description Below all cards with a relation to it, by the longest path. */
      layer: number;
      href: string;
    };
    DependenciesReportType: {
      key: string;
      label: string;
      color: string;
      /** @description Name of a Material Symbol, as in the metamodel. */
      icon?: string;
      /** @description Number of nodes. */
      count: number;
    };
    Diagram: {
      id: string;
      name: string;
      /** @description Markdown. */
      description: string | null;
      /** @description The group that contains it. */
      group_id: string | null;
      /** @description The number of the current version of its content. */
      content_version: number;
      /** @description Size of the file, uncompressed. */
      bytes: number;
      /** @description Shapes and edges of all pages. */
      cell_count: number;
      page_count: number;
      /** @description Cards of its shapes and linked cards that the caller sees. */
      card_count: number;
      /** @description Of the caller. */
      is_favourite: boolean;
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
      pages: components["schemas"]["DiagramPage"][];
      /** @description Its cards that the caller sees, as they are now, by name; the first 500. `GET /diagrams/{id}/cards` has them all. */
      cards: components["schemas"]["DiagramCard"][];
    };
    DiagramCard: {
      card: components["schemas"]["DiagramCardRef"];
      /** @description Linked by a user, independently of shapes. */
      is_linked: boolean;
      /** @description Shapes of the card. */
      shapes: number;
    };
    DiagramCardRef: {
      id: string;
      type: string;
      name: string;
      /** @enum {string} */
      status: "ACTIVE" | "ARCHIVED";
    };
    DiagramCreate: {
      name: string;
      /** @description Markdown. */
      description?: string | null;
      /** @description The group that contains it. */
      group_id?: string | null;
      /** @description Cards that the diagram is about, in addition to those of its shapes. */
      card_ids?: string[];
      /** @description A draw.io file (XML), compressed or not. It is stored without what could run, load or track. Shapes refer to cards by the attribute `cardId`, or by a link to the page of a card. Larger files are sent as forms. */
      content?: string;
    };
    DiagramDiff: {
      from: number;
      to: number;
      cards: components["schemas"]["DiagramDiffCards"];
      relations: components["schemas"]["DiagramDiffRelations"];
      counts: components["schemas"]["DiagramDiffCounts"];
      /** @description Each list has at most 1,000 items. */
      is_truncated: boolean;
    };
    DiagramDiffCards: {
      added: components["schemas"]["DiagramCardRef"][];
      removed: components["schemas"]["DiagramCardRef"][];
    };
    DiagramDiffCounts: {
      from: components["schemas"]["DiagramDiffCountsFrom"];
      to: components["schemas"]["DiagramDiffCountsFrom"];
    };
    DiagramDiffCountsFrom: {
      pages: number;
      /** @description Shapes and edges. */
      cells: number;
      /** @description Shapes of cards that the caller sees. */
      shapes: number;
    };
    DiagramDiffRelations: {
      added: components["schemas"]["DiagramRelationChange"][];
      removed: components["schemas"]["DiagramRelationChange"][];
    };
    DiagramDrawing: {
      page: number;
      /** @description Of the page. */
      name: string;
      /** @description In px. */
      width: number;
      /** @description In px. */
      height: number;
      /** @description Shapes that are drawn as labelled boxes. The first 1,000. */
      not_drawable: components["schemas"]["DiagramDrawingNotDrawable"][];
    };
    DiagramDrawingNotDrawable: {
      cell_id: string;
      /** @description As the style names it. */
      shape: string;
    };
    DiagramFileReplacement: {
      /** @description One draw.io file. */
      files: string[];
    };
    DiagramGroup: {
      id: string;
      name: string;
      /** @description The group that contains it. */
      parent_id: string | null;
      /**
      * @description Its place among its siblings.
      * @default 0
      */
      position: number;
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    DiagramGroupCreate: {
      name: string;
      /** @description The group that contains it. */
      parent_id?: string | null;
      /**
      * @description Its place among its siblings.
      * @default 0
      */
      position?: number;
    };
    DiagramGroupPage: {
      items: components["schemas"]["DiagramGroup"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    DiagramGroupPatch: {
      name?: string;
      /** @description The group that contains it. */
      parent_id?: string | null;
      /**
      * @description Its place among its siblings.
      * @default 0
      */
      position?: number;
    };
    DiagramHistoryChange: {
      field: string;
      old?: unknown;
      new?: unknown;
    };
    DiagramHistoryEntry: {
      version: number | null;
      at: string;
      type: string;
      actor: components["schemas"]["PpmHistoryActor"] | null;
      origin: string;
      changes: components["schemas"]["DiagramHistoryChange"][];
    };
    DiagramHistoryPage: {
      items: components["schemas"]["DiagramHistoryEntry"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    DiagramPage: {
      id: string;
      name: string;
      cells: number;
      /** @description Shapes that refer to cards. */
      shapes: number;
    };
    DiagramPatch: {
      name?: string;
      /** @description Markdown. */
      description?: string | null;
      /** @description The group that contains it. */
      group_id?: string | null;
      /** @description Cards that the diagram is about, in addition to those of its shapes. */
      card_ids?: string[];
      /** @description A draw.io file (XML), compressed or not. It is stored without what could run, load or track. Shapes refer to cards by the attribute `cardId`, or by a link to the page of a card. Larger files are sent as forms. */
      content?: string;
    };
    DiagramRelationChange: {
      source: components["schemas"]["DiagramCardRef"];
      target: components["schemas"]["DiagramCardRef"];
      /** @description The key of a relation type, if the edge names one. */
      type: string | null;
      /** @description The relation, if the edge names one. */
      relation_id: string | null;
      label: string;
      /** @description The edges in the version that has them. */
      cell_ids: string[];
    };
    DiagramShape: {
      cell_id: string;
      /** @description Index of the page, from 0. */
      page: number;
      card: components["schemas"]["DiagramCardRef"];
      /** @description The card has another name than in the stored file. */
      is_renamed: boolean;
      /** @description Its type has another colour than in the stored file. */
      is_recoloured: boolean;
    };
    DiagramShapePage: {
      items: components["schemas"]["DiagramShape"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    DiagramVersion: {
      number: number;
      /** @description Size of the file, uncompressed. */
      bytes: number;
      cell_count: number;
      page_count: number;
      /** @description Of the stored file, hexadecimal. */
      sha256: string;
      /** @description Parts of the file that were not stored; at most 200 are counted. */
      removed_count: number;
      /** @description The version whose content it repeats. */
      restored_from: number | null;
      created_by: string | null;
      created_at: string;
      pages: components["schemas"]["DiagramPage"][];
      /** @description What could run, load or track, and references to no card. The first 200. */
      removed: components["schemas"]["DiagramVersionRemoved"][];
    };
    DiagramVersionItem: {
      number: number;
      /** @description Size of the file, uncompressed. */
      bytes: number;
      cell_count: number;
      page_count: number;
      /** @description Of the stored file, hexadecimal. */
      sha256: string;
      /** @description Parts of the file that were not stored; at most 200 are counted. */
      removed_count: number;
      /** @description The version whose content it repeats. */
      restored_from: number | null;
      created_by: string | null;
      created_at: string;
    };
    DiagramVersionPage: {
      items: components["schemas"]["DiagramVersionItem"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    DiagramVersionRemoved: {
      /** @description Its name; empty for parts of the file itself. */
      page: string;
      cell_id: string;
      what: string;
    };
    EmailChange: {
      /** @description The new address. */
      email: string;
      confirmed_by_old_address: boolean;
      confirmed_by_new_address: boolean;
      created_at: string;
      expires_at: string;
    };
    /** @description Distinct cards with a relation to it, in either direction. */
    EndOfLifeReportDependents: {
      count: number;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
    };
    EndOfLifeReportEntry: {
      id: string;
      type: string;
      name: string;
      href: string;
      end_of_life: string;
      /** @description From today; negative where it is past. */
      days: number;
      /** @enum {string} */
      state: "past" | "soon";
      dependents: components["schemas"]["EndOfLifeReportDependents"];
    };
    EndOfLifeReportPage: {
      /** @description The day of the report, UTC. */
      today: string;
      /** @description The last day that is soon. */
      until: string;
      past: components["schemas"]["EndOfLifeReportPagePast"];
      soon: components["schemas"]["EndOfLifeReportPageSoon"];
      by_type: components["schemas"]["EndOfLifeReportPageByType"][];
      /** @description What is past, then what is soon by month, quarter or year of its end, by the length of the horizon. */
      by_period: components["schemas"]["EndOfLifeReportPageByPeriod"][];
      /** @description By date: those nearest to today. */
      items: components["schemas"]["EndOfLifeReportEntry"][];
      /** @description The 50 cards with relations to the most of them. */
      affected: components["schemas"]["EndOfLifeReportPageAffected"][];
      /** @description Whether there are more than 500 such cards. */
      truncated: boolean;
    };
    EndOfLifeReportPageAffected: {
      id: string;
      type: string;
      name: string;
      href: string;
      components: components["schemas"]["EndOfLifeReportPageAffectedComponents"];
    };
    /** @description Distinct cards of the report with a relation to it. */
    EndOfLifeReportPageAffectedComponents: {
      count: number;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
    };
    EndOfLifeReportPageByPeriod: {
      from: string | null;
      /** @description The last day. */
      to: string;
      label: string;
      count: number;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
      types: components["schemas"]["EndOfLifeReportPageByPeriodType"][];
    };
    EndOfLifeReportPageByPeriodType: {
      type: string;
      count: number;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
    };
    EndOfLifeReportPageByType: {
      type: string;
      label: string;
      color?: string;
      /** @description Name of a Material Symbol, as in the metamodel. */
      icon?: string;
      past: components["schemas"]["EndOfLifeReportPageByTypePast"];
      soon: components["schemas"]["EndOfLifeReportPageByTypePast"];
    };
    EndOfLifeReportPageByTypePast: {
      count: number;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
    };
    /** @description Cards whose end of life is today or was before. */
    EndOfLifeReportPagePast: {
      count: number;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
    };
    /** @description Cards whose end of life is after today, and not after `until`. */
    EndOfLifeReportPageSoon: {
      count: number;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
    };
    Event: {
      /** @description Position in the event log: ascending, and never given twice. */
      id: number;
      type: string;
      occurred_at: string;
      actor: components["schemas"]["PpmHistoryActor"] | null;
      /** @description What caused it: api, import, cron, job … */
      origin: string;
      request_id: string | null;
      /** @description The same for all changes made by one request or job. */
      change_id: string | null;
      subject: components["schemas"]["EventSubject"];
      /** @description The changed data; for most updates `changes`, a list of field, old and new. */
      data: {
        [key: string]: unknown;
      };
    };
    EventPage: {
      items: components["schemas"]["Event"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    EventSubject: {
      kind: string;
      id: string;
      type: string | null;
      name: string | null;
    };
    EventType: {
      /** @description A type, or the prefix of all types of a kind whose types are not declared, such as `votes.`. */
      type: string;
      /** @description Kind of the subject. */
      kind: string;
      /** @description The module that emits it; null: the core. */
      module: string | null;
      /** @description The permission to receive it, or `authenticated`; null: it depends on the event. */
      permission: string | null;
      description: string | null;
      /** @description JSON Schema of `data` of the event; later versions may add members. */
      data: {
        [key: string]: unknown;
      };
    };
    EventTypePage: {
      items: components["schemas"]["EventType"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    ExchangeSsoCodeBody: {
      /** @description The parameter `code` with which the browser returned. */
      code: string;
      /** @description Required if the sign-in began with a `code_challenge`. */
      code_verifier?: string;
    };
    /** @description With `expand=children`: the first active children. */
    ExpandedChildren: {
      /** @description In the order of `GET /cards?parent_id=<id>`. */
      items: components["schemas"]["CardName"][];
      /** @description Whether there are more than these 50. */
      truncated: boolean;
    };
    ExpandedRelation: {
      id: string;
      type: string;
      /** @enum {string} */
      direction: "outgoing" | "incoming";
      valid_from: string | null;
      valid_to: string | null;
      card: components["schemas"]["CardName"];
    };
    /** @description With `expand=relations`: the first relations to active cards. */
    ExpandedRelations: {
      /** @description In the order of `GET /relations?card_id=<id>&sort_by=type`. */
      items: components["schemas"]["ExpandedRelation"][];
      /** @description Whether there are more than these 50. */
      truncated: boolean;
    };
    ExplainPermissionResult: {
      user_id: string;
      permission: string;
      card_id: string | null;
      card_type: string | null;
      allowed: boolean;
      /** @description The rule that grants or denies it. */
      because: string;
      /**
      * @description Kind of that rule.
      * @enum {string}
      */
      by: "role" | "type_rule" | "stakeholder_role" | "api_token" | "account" | "none";
    };
    FieldDefinition: {
      key: string;
      label: string;
      kind: string;
      required: boolean;
      weight: number;
      unit?: string;
      min?: number;
      max?: number;
      pattern?: string;
      options?: components["schemas"]["FieldOption"][];
      default?: unknown;
      help?: string;
      group?: string;
      readonly?: boolean;
      filterable?: boolean;
    };
    FieldDefinitionInput: {
      /** @description A letter, then letters, digits and underscores, at most 63. */
      key: string;
      label?: string;
      /** @enum {string} */
      kind: "text" | "multiline" | "number" | "integer" | "cost" | "percentage" | "boolean" | "date" | "url" | "email" | "single_select" | "multiple_select" | "user" | "card_reference" | "calculated";
      /** @description Required for approval. */
      required?: boolean;
      /** @description Weight in data quality; 0 excludes it. */
      weight?: number;
      unit?: string;
      min?: number;
      max?: number;
      /** @description For text: RE2 syntax; any part of the text must match. */
      pattern?: string;
      options?: components["schemas"]["FieldOptionInput"][];
      /** @description Default value of the field for new cards. */
      default?: unknown;
      help?: string;
      group?: string;
      readonly?: boolean;
      /** @description For card types: an index is maintained, so that filtering by ranges and sorting are fast. */
      filterable?: boolean;
    };
    FieldError: {
      /** @description A JSON pointer in a body, a name elsewhere. */
      field: string;
      reason: string;
      /** @enum {string} */
      in: "body" | "query" | "path" | "header";
      /** @description In a row of a bulk request: the code with which a rule of a module refused it. */
      code?: string;
    };
    FieldOption: {
      key: string;
      label: string;
      color?: string;
    };
    FieldOptionInput: {
      /** @description A letter, then letters, digits and underscores, at most 63. */
      key: string;
      label?: string;
      color?: string;
    };
    FileImport: {
      id: string;
      /**
      * @description uploaded and parsing: being read; ready: can be reviewed and applied; applying, applied; failed: see `errors`; cancelled: it was stopped, and what it had written remains.
      * @enum {string}
      */
      state: "uploaded" | "parsing" | "ready" | "applying" | "applied" | "failed" | "cancelled";
      /** @description Id of the format: csv, ndjson, archimate, or that of a module. */
      format: string;
      file_name: string;
      /** @description Size of the file in bytes. */
      size: number;
      counts: components["schemas"]["FileImportCounts"];
      progress: components["schemas"]["FileImportProgress"];
      /** @description Columns and keys that were ignored. */
      ignored_columns: string[];
      notes: string[];
      /** @description The reasons why the whole file cannot be imported. */
      errors: components["schemas"]["FileImportError"][];
      created_by: components["schemas"]["UserDirectoryEntry"] | null;
      applied_by: components["schemas"]["UserDirectoryEntry"] | null;
      created_at: string;
      updated_at: string;
      applied_at: string | null;
      version: number;
    };
    FileImportCounts: {
      /** @description Rows by verdict. */
      card: {
        [key: string]: number;
      };
      /** @description Rows by verdict. */
      relation: {
        [key: string]: number;
      };
    };
    FileImportError: {
      line?: number;
      reason: string;
    };
    FileImportPage: {
      items: components["schemas"]["FileImport"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    /** @description Rows of the current step that were processed. */
    FileImportProgress: {
      done: number;
      total: number;
    };
    ForgotPasswordBody: {
      email: string;
    };
    GenerateDiagramBody: {
      /** @description The card in the middle. */
      root_card_id: string;
      /**
      * @description Relations from the root card.
      * @default 2
      */
      depth?: number;
      /**
      * @default both
      * @enum {string}
      */
      direction?: "downstream" | "upstream" | "both";
      /** @description Card types besides that of the root card. Default: all. */
      types?: string[];
      /** @description Default: all. */
      relation_types?: string[];
      /**
      * @description Direction of the layers.
      * @default right
      * @enum {string}
      */
      layout?: "right" | "down";
      name?: string;
      group_id?: string | null;
      /** @description Language of the labels of types and relations, BCP 47; default: the first one of the workspace. */
      lang?: string;
      /**
      * @description `false`: the file is returned as `content`, and nothing is stored.
      * @default true
      */
      save?: boolean;
    };
    GenerateDiagramResult: {
      diagram: components["schemas"]["Diagram"] | null;
      /** @description The draw.io file, if it was not stored. */
      content: string | null;
      card_count: number;
      relation_count: number;
      /** @description There are more than 300 cards or 400 relations; the nearest cards are shown. */
      truncated: boolean;
    };
    Health: {
      /** @constant */
      status: "ok";
      /** @description Version of the service, by Semantic Versioning. */
      version: string;
      /** @description Commit of the checkout the service runs from. */
      commit?: string;
      uptime_s: number;
      /** @description Increases when writes may have been lost, such as by a failover or a restore of the database. */
      log_epoch: number;
    };
    ImportAdrsBody: {
      /** @description Markdown files, or ZIP archives of them. */
      files: string[];
    };
    ImportAdrsResult: {
      summary: components["schemas"]["ImportAdrsResultSummary"];
      /** @description One for each file, in the order of paths. */
      results: components["schemas"]["AdrImportVerdict"][];
    };
    ImportAdrsResultSummary: {
      created: number;
      updated: number;
      unchanged: number;
      conflict: number;
      skipped: number;
      failed: number;
    };
    ImportCreate: {
      /** @description CSV, NDJSON or ArchiMate exchange XML in UTF-8, or a format of a module. */
      file: string;
      /** @description As the query parameter. */
      format?: string;
      /** @description JSON object: type, delimiter, empty, ignore_unknown. */
      options?: string;
    };
    ImportDiagramsBody: {
      /** @description draw.io files. */
      files: string[];
    };
    ImportDiagramsResult: {
      /** @description In the order of the files. */
      diagrams: components["schemas"]["ImportDiagramsResultDiagram"][];
    };
    ImportDiagramsResultDiagram: {
      file: string;
      id: string;
      name: string;
    };
    ImportFormat: {
      /** @description The value for `format`. */
      id: string;
      title: string;
      /** @description File name extensions, with the dot. */
      extensions: string[];
      content_types: string[];
      /** @description Id of the module that provides it; null for the core. */
      module: string | null;
    };
    ImportFormatPage: {
      items: components["schemas"]["ImportFormat"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    ImportPpmPlanResult: {
      dry_run: boolean;
      /** @enum {string} */
      format: "csv" | "mspdi";
      items: components["schemas"]["ImportPpmPlanResultItems"];
      dependencies: components["schemas"]["ImportPpmPlanResultDependencies"];
      /** @description Whether the calendar of the plan becomes different. */
      calendar_changed: boolean;
      start_date_changed: boolean;
      /** @description What the file has and was not read, was rounded or was read as something else: a sentence for each kind, with its count. */
      notes: string[];
      truncated: boolean;
      changes: components["schemas"]["ImportPpmPlanResultChange"][];
    };
    ImportPpmPlanResultChange: {
      /** @description Of the file; null for removed items. */
      line: number | null;
      /** @enum {string} */
      outcome: "created" | "updated" | "removed";
      /** @description Null for an item that a preview would create. */
      id: string | null;
      title: string;
      /** @description Of an updated item. */
      changed: ("parent_id" | "title" | "description" | "is_milestone" | "start_date" | "end_date" | "duration_days" | "constraint_type" | "constraint_date" | "completion" | "planned_cost" | "planned_currency" | "external_id" | "order")[];
    };
    /** @description Dependencies. */
    ImportPpmPlanResultDependencies: {
      created: number;
      updated: number;
      unchanged: number;
      removed: number;
      /** @description Not in the file, and left as they are. */
      kept: number;
    };
    /** @description Items of the work breakdown. */
    ImportPpmPlanResultItems: {
      created: number;
      updated: number;
      unchanged: number;
      removed: number;
      /** @description Not in the file, and left as they are. */
      kept: number;
    };
    ImportRow: {
      /** @description Position in the file. */
      row: number;
      /** @enum {string} */
      kind: "card" | "relation";
      line: number;
      /** @description Its identifier in the file, such as an element identifier. */
      reference: string | null;
      type: string | null;
      name: string | null;
      /**
      * @description `create` and `update` will be, or were, written; `invalid` cannot be written; `failed`: writing failed; `conflict`: other users changed the fields in `errors` since the preview, and the row was not written.
      * @enum {string}
      */
      verdict: "create" | "update" | "unchanged" | "archived" | "duplicate" | "parent" | "unmapped" | "unsupported" | "dangling" | "invalid" | "failed" | "conflict";
      /** @description The matching card or relation. */
      id: string | null;
      source_row: number | null;
      target_row: number | null;
      parent_row: number | null;
      /** @description The changes; `{row}` refers to the card of another row. */
      diff: components["schemas"]["ImportRowDiff"][];
      errors: components["schemas"]["ImportRowError"][];
      applied: boolean;
    };
    ImportRowDiff: {
      field: string;
      old: unknown;
      new: unknown;
      /** @description Id of the module whose rule sets the value, as decided when the file was read; absent for a value of the file. */
      set_by?: string;
    };
    ImportRowError: {
      field: string;
      reason: string;
      column?: string;
    };
    ImportRowPage: {
      items: components["schemas"]["ImportRow"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    /** @description Names and cards of this supplier that become another supplier. */
    InsightlensChangeInsightSupplierSplit: {
      keys?: string[];
      card_ids?: string[];
      name?: string;
    };
    /** @description Queued as a job. `Location` is the address of its status. */
    InsightlensFetchInsightFeedResult: {
      /** @description The job; `GET /jobs/{id}` has its state. */
      job_id: string;
    };
    InsightlensInsightBulkTransition: {
      /**
      * @description Default all_or_nothing.
      * @enum {string}
      */
      mode?: "all_or_nothing" | "per_row";
      operations: components["schemas"]["InsightlensTransitionInsightFindingsOperation"][];
    };
    InsightlensInsightBulkTransitionResult: {
      change_id: string;
      /** @description How many operations have which outcome. */
      summary: {
        [key: string]: number;
      };
      results: components["schemas"]["InsightlensInsightBulkTransitionResultResult"][];
    };
    InsightlensInsightBulkTransitionResultResult: {
      index: number;
      id?: string;
      version?: number;
      /** @enum {string} */
      outcome: "transitioned" | "failed";
      /** @description The error code of a corresponding single request. */
      code?: string;
      errors?: components["schemas"]["InsightlensInsightBulkTransitionResultResultError"][];
    };
    InsightlensInsightBulkTransitionResultResultError: {
      field: string;
      reason: string;
      in: string;
    };
    InsightlensInsightCandidate: {
      /** @description Of the card. */
      id: string;
      name: string;
      type: string;
      /** @description Its place by waves, groups and score. */
      order: number;
      /** @description The first in which all candidates it depends on are in earlier ones; null without relations.view. */
      wave: number | null;
      /** @description The candidates that depend on one another in a circle with it, itself included: to be done together. */
      cycle: string[];
      /** @description Sum of the points of its reasons × the factor of its criticality. */
      score: number;
      /** @description (1 + dependants + dependencies ÷ 2) × the factor of its criticality; null without relations.view. */
      effort: number | null;
      /** @description Cards that depend on it. */
      dependants: number | null;
      /** @description Cards on which it depends. */
      dependencies: number | null;
      criticality: string | null;
      /** @description Null for a caller who may not see the costs of the card. */
      annual_cost: number | null;
      /** @description Findings that the caller sees, with their points; of several of one rule the most severe. */
      reasons: components["schemas"]["InsightlensInsightCandidateReason"][];
    };
    InsightlensInsightCandidatePage: {
      items: components["schemas"]["InsightlensInsightCandidate"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    InsightlensInsightCandidateReason: {
      finding_id: string;
      kind: string;
      rule: string;
      /** @enum {string} */
      severity: "low" | "medium" | "high" | "critical";
      state: string;
      points: number;
    };
    InsightlensInsightCardProduct: {
      card_id: string;
      slug: string | null;
      /** @description As the feed of known exploited vulnerabilities has it. */
      vendor: string | null;
      /** @description As the feed of known exploited vulnerabilities has it. */
      product: string | null;
      /** @description Its version, in place of that of the card. */
      release: string | null;
      updated_by: string | null;
      updated_at: string;
      version: number;
    };
    InsightlensInsightCardProductInput: {
      slug?: string | null;
      /** @description As the feed of known exploited vulnerabilities has it. */
      vendor?: string | null;
      /** @description As the feed of known exploited vulnerabilities has it. */
      product?: string | null;
      /** @description Its version, in place of that of the card. */
      release?: string | null;
    };
    InsightlensInsightChangeSet: {
      /** @description Cards that are created. */
      cards: components["schemas"]["InsightlensInsightChangeSetCard"][];
      /** @description Relations that are created between these cards (`ref`) and existing ones (`id`); existing ones stay. */
      relations: components["schemas"]["InsightlensInsightChangeSetRelation"][];
    };
    InsightlensInsightChangeSetCard: {
      ref: string;
      type: string;
      name: string;
      subtype?: string | null;
      description?: string | null;
      lifecycle?: {
        [key: string]: string;
      };
      attributes?: {
        [key: string]: unknown;
      };
    };
    InsightlensInsightChangeSetRelation: {
      type: string;
      source: components["schemas"]["InsightlensInsightChangeSetRelationSource"];
      target: components["schemas"]["InsightlensInsightChangeSetRelationSource"];
    };
    InsightlensInsightChangeSetRelationSource: {
      ref?: string;
      id?: string;
    };
    InsightlensInsightCitation: {
      /** @description As in the text, in square brackets. */
      ref: string;
      card_id: string;
      name: string;
      type: string;
    };
    InsightlensInsightCompliance: {
      id: string;
      title: string;
      reference: string;
      /** @description Number of findings that the caller sees, each counted once. */
      findings: number;
      /** @description Of these, those that are new or in review. */
      open: number;
      /** @description Number by state. */
      by_state: {
        [key: string]: number;
      };
      /** @description Number of those that are new or in review by severity. */
      by_severity: {
        [key: string]: number;
      };
      requirements: components["schemas"]["InsightlensInsightComplianceRequirement"][];
      analysed_at: string | null;
    };
    InsightlensInsightCompliancePage: {
      items: components["schemas"]["InsightlensInsightCompliance"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    InsightlensInsightComplianceRequirement: {
      id: string;
      /** @description In short; the regulation itself is what counts. */
      text: string;
      rules: string[];
      /**
      * @description Whether there are findings that are new or in review; `not_checked`: none of its rules is applied.
      * @enum {string}
      */
      status: "findings" | "no_findings" | "not_checked";
      /** @description Number of findings by state. */
      by_state: {
        [key: string]: number;
      };
    };
    InsightlensInsightDuplicateCluster: {
      /** @description The smallest id of its cards. */
      id: string;
      /** @description The highest score of its pairs, 0 to 100. */
      score: number;
      cards: components["schemas"]["BpmImpliedRelationCard"][];
      /** @description The findings on which it rests, the most alike first. */
      pairs: components["schemas"]["InsightlensInsightDuplicateClusterPair"][];
      recommendation: components["schemas"]["InsightlensInsightDuplicateClusterRecommendation"];
    };
    InsightlensInsightDuplicateClusterPage: {
      items: components["schemas"]["InsightlensInsightDuplicateCluster"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    InsightlensInsightDuplicateClusterPair: {
      finding_id: string;
      card_ids: string[];
      score: number;
      state: string;
    };
    InsightlensInsightDuplicateClusterRecommendation: {
      /** @description The card to keep. */
      keep: string;
      /** @description What it has that others have not. */
      reasons: ("in_use" | "most_users" | "most_relations" | "best_data_quality" | "approved" | "lowest_cost")[];
    };
    InsightlensInsightExplanation: {
      finding_id: string;
      /** @description What was found, without a language model. */
      statement: string;
      /** @description Text of the language model; cards are cited as `[C1]`. Null without a model. */
      explanation: string | null;
      /** @description The cards that the explanation cites. */
      citations: components["schemas"]["InsightlensInsightCitation"][];
      /** @description Whether the explanation ended at the maximum number of tokens. */
      is_cut: boolean;
      model: components["schemas"]["InsightlensInsightModelUse"];
    };
    InsightlensInsightFeed: {
      /** @enum {string} */
      feed: "kev" | "endoflife";
      title: string;
      /**
      * @description `stale`: older than `feed_stale_days`.
      * @enum {string}
      */
      state: "empty" | "current" | "stale";
      /** @enum {string|null} */
      source: "upload" | "fetch" | null;
      /** @description Its version or time, as the feed states it. */
      published: string | null;
      loaded_at: string | null;
      /** @description Since it was loaded, or found unchanged. */
      age_days: number | null;
      /** @description Number of vulnerabilities, or of products. */
      entries: number;
      /** @description Whether it is fetched every day. */
      is_scheduled: boolean;
      checked_at: string | null;
      failed_at: string | null;
      failure: components["schemas"]["InsightlensInsightFeedFailure"] | null;
      version: number;
    };
    /** @description Of the last attempt to fetch it, if that failed: the content before is kept. */
    InsightlensInsightFeedFailure: {
      code: string;
      /** @description For those who manage feeds. */
      detail: string | null;
    };
    InsightlensInsightFeedPage: {
      items: components["schemas"]["InsightlensInsightFeed"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    InsightlensInsightFinding: {
      id: string;
      /** @description The analysis that has found it. */
      kind: string;
      /** @description The rule of the analysis. */
      rule: string;
      /** @enum {string} */
      severity: "low" | "medium" | "high" | "critical";
      /** @description 0 to 100, such as a similarity; null if the rule holds or does not. */
      score: number | null;
      /** @description The reasons, by the rule. */
      evidence: {
        [key: string]: unknown;
      };
      /** @description All cards from which it was concluded. */
      cards: components["schemas"]["InsightlensInsightFindingCard"][];
      /** @description What people have decided; it is kept when the analysis runs again. */
      state: string;
      allowed_transitions: string[];
      note: string | null;
      promoted_to: components["schemas"]["InsightlensInsightFindingPromotedTo"] | null;
      state_by: string | null;
      state_at: string | null;
      /** @description The run whose result this is. */
      run_id: string;
      /** @description Whether the current run of the analysis has found it. */
      is_current: boolean;
      found_at: string;
      version: number;
    };
    InsightlensInsightFindingCard: {
      id: string;
      name: string;
      type: string;
      role: string;
    };
    InsightlensInsightFindingPage: {
      items: components["schemas"]["InsightlensInsightFinding"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    /** @description The risk or decision that was made of it. */
    InsightlensInsightFindingPromotedTo: {
      /** @enum {string} */
      kind: "risk" | "decision";
      id: string;
      reference: string;
    };
    InsightlensInsightFindingTransition: {
      /** @description One of `allowed_transitions`. */
      to: string;
      note?: string | null;
    };
    InsightlensInsightModelUse: {
      /** @description Whether an answer of the model is part of the result. */
      used: boolean;
      name: string | null;
      /**
      * @description Why it was not used; everything else of the result stands.
      * @enum {string|null}
      */
      reason: "not_configured" | "no_prices" | "cap_reached" | "prompt_too_long" | "timeout" | "cancelled" | "rejected" | "unavailable" | "incomplete" | "too_long" | "invalid_answer" | null;
      detail: string | null;
      input_tokens: number;
      output_tokens: number;
      /** @description US dollars; null without prices. */
      cost: number | null;
    };
    InsightlensInsightOddProduct: {
      slug: string;
      title: string;
      /** @description Names of its releases that have no order. */
      cycles: string[];
    };
    InsightlensInsightOddProductPage: {
      items: components["schemas"]["InsightlensInsightOddProduct"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    InsightlensInsightProductMatch: {
      card_id: string;
      name: string;
      type: string;
      /** @description Product of the end-of-life dates. */
      slug: string | null;
      /** @description The release it has, or those it may have. */
      cycles: string[];
      /** @description The version as it was read from the card. */
      release: string | null;
      vendor: string | null;
      /** @description Product of the known exploited vulnerabilities. */
      product: string | null;
      /** @description Why a feed could not be used for it. */
      reasons: ("no_product" | "several_products" | "supplier_unknown" | "several_vulnerable_products" | "no_version" | "odd_version" | "imprecise_version" | "unknown_version")[];
      /** @description Products it may be. */
      candidates: string[];
    };
    InsightlensInsightProductMatchPage: {
      items: components["schemas"]["InsightlensInsightProductMatch"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    InsightlensInsightPromoted: {
      finding_id: string;
      state: string;
      promoted_to: components["schemas"]["InsightlensInsightPromotedPromotedTo"];
      version: number;
    };
    InsightlensInsightPromotedPromotedTo: {
      /** @enum {string} */
      kind: "risk" | "decision";
      id: string;
      /** @description Such as R-000001 or ADR-0001. */
      reference: string;
    };
    InsightlensInsightPromotion: {
      /**
      * @description A risk of the register, or a draft decision.
      * @enum {string}
      */
      to: "risk" | "decision";
      title?: string;
      note?: string | null;
    };
    InsightlensInsightProposal: {
      id: string;
      title: string;
      requirement: string;
      /** @enum {string} */
      state: "queued" | "running" | "ready" | "failed" | "cancelled" | "committed";
      asked_by: string;
      created_at: string;
      finished_at: string | null;
      version: number;
      design: components["schemas"]["InsightlensInsightProposalDesign"] | null;
      /** @description The cards that the proposal names, as they are now. */
      named_cards: components["schemas"]["InsightlensInsightProposalNamedCard"][];
      advice: components["schemas"]["InsightlensInsightProposalAdvice"] | null;
      model: components["schemas"]["InsightlensInsightModelUse"] | null;
      change_set: components["schemas"]["InsightlensInsightChangeSet"] | null;
      /** @description The option whose change set it is; null before it is made, and after it was edited. */
      option_id: string | null;
      error: components["schemas"]["CmdbsyncRunError"] | null;
      outcome: components["schemas"]["InsightlensInsightProposalOutcome"] | null;
      committed_by: string | null;
      committed_at: string | null;
    };
    /** @description What the language model adds; it changes neither options nor change set. */
    InsightlensInsightProposalAdvice: {
      summary: string;
      options: components["schemas"]["InsightlensInsightProposalAdviceOption"][];
      risks: string[];
      citations: components["schemas"]["InsightlensInsightCitation"][];
    };
    InsightlensInsightProposalAdviceOption: {
      id: string;
      reason: string;
    };
    InsightlensInsightProposalCommit: {
      /**
      * @description Whether a draft decision is created, where the module `adr` is enabled.
      * @default true
      */
      with_decision?: boolean;
    };
    InsightlensInsightProposalCreate: {
      /** @description What is needed, as text. */
      requirement: string;
      title?: string;
      /**
      * @description Whether the language model may be asked.
      * @default true
      */
      use_model?: boolean;
    };
    InsightlensInsightProposalDesign: {
      /** @description Business capabilities that match, the best first. */
      capabilities: components["schemas"]["InsightlensInsightProposalDesignCapability"][];
      /** @description Other existing cards that match, the best first. */
      cards: components["schemas"]["InsightlensInsightProposalDesignCapability"][];
      /** @description The best first. */
      options: components["schemas"]["InsightlensInsightProposalDesignOption"][];
      gaps: components["schemas"]["InsightlensInsightProposalDesignGaps"];
      dependencies: components["schemas"]["InsightlensInsightProposalDesignDependencies"] | null;
    };
    InsightlensInsightProposalDesignCapability: {
      card_id: string;
      type: string;
      /** @description Share of the terms of the requirement, weighted by their rarity. */
      fit: number;
      /** @description Words of the requirement. */
      terms: string[];
    };
    /** @description Cards around those of the best option; null if the caller may not see relations. */
    InsightlensInsightProposalDesignDependencies: {
      cards: components["schemas"]["InsightlensInsightProposalDesignDependenciesCard"][];
      is_truncated: boolean;
    };
    InsightlensInsightProposalDesignDependenciesCard: {
      card_id: string;
      depth: number;
    };
    InsightlensInsightProposalDesignGaps: {
      /** @description Words of the requirement. */
      terms: string[];
      /** @description Matching capabilities that no matching application supports. */
      capability_ids: string[];
      has_no_capability: boolean;
    };
    InsightlensInsightProposalDesignOption: {
      id: string;
      /** @enum {string} */
      kind: "reuse" | "extend" | "buy" | "build";
      /** @description Existing cards that it uses. */
      card_ids: string[];
      /** @description By which the options are ordered. */
      score: number;
      /** @description Facts; those that the reader may not see are left out. */
      reasons: components["schemas"]["InsightlensInsightProposalDesignOptionReason"][];
    };
    InsightlensInsightProposalDesignOptionReason: {
      /** @enum {string} */
      code: "covers_terms" | "misses_terms" | "in_use" | "not_in_use" | "relations" | "supports_capability" | "costs" | "no_application_fits" | "supplier_known";
      card_id?: string;
      value?: unknown;
    };
    InsightlensInsightProposalNamedCard: {
      id: string;
      name: string;
      type: string;
      status: string;
      /** @description Whether it was changed since the proposal was made or refreshed. Where `change_set` names it, the proposal is not committed before it is refreshed. */
      is_changed: boolean;
    };
    InsightlensInsightProposalOutcome: {
      initiative_id: string | null;
      cards: components["schemas"]["InsightlensInsightProposalOutcomeCard"][];
      relation_ids: string[];
      adr: components["schemas"]["InsightlensInsightProposalOutcomeAdr"] | null;
      /**
      * @description Why there is no draft decision.
      * @enum {string|null}
      */
      adr_reason: "not_wanted" | "no_module" | null;
    };
    InsightlensInsightProposalOutcomeAdr: {
      id: string;
      number: string;
    };
    InsightlensInsightProposalOutcomeCard: {
      ref: string;
      id: string;
    };
    InsightlensInsightProposalPatch: {
      title?: string;
      /** @description One of `design.options`: the change set becomes that of this option. */
      option_id?: string;
      change_set?: components["schemas"]["InsightlensInsightChangeSet"];
      /** @description Takes the cards that the proposal names as they are now: it can be committed though they were changed. Only `true`. */
      refresh?: boolean;
    };
    InsightlensInsightProposalSummary: {
      id: string;
      title: string;
      requirement: string;
      /** @enum {string} */
      state: "queued" | "running" | "ready" | "failed" | "cancelled" | "committed";
      asked_by: string;
      created_at: string;
      finished_at: string | null;
      version: number;
    };
    InsightlensInsightProposalSummaryPage: {
      items: components["schemas"]["InsightlensInsightProposalSummary"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    InsightlensInsightRule: {
      id: string;
      title: string;
      /** @enum {string} */
      severity: "low" | "medium" | "high" | "critical";
      is_enabled: boolean;
      /** @description Whether the metamodel has what it reads, as the caller sees it. */
      is_applicable: boolean;
      /** @description What it looks for, with the types, fields and relation types of the metamodel. */
      condition: {
        [key: string]: unknown;
      };
      /** @description Requirements for which it gives evidence. */
      references: string[];
    };
    InsightlensInsightRulePage: {
      items: components["schemas"]["InsightlensInsightRule"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    InsightlensInsightRun: {
      id: string;
      /** @description The analysis. */
      kind: string;
      /**
      * @description queued and running are active; done, failed and cancelled have ended.
      * @enum {string}
      */
      state: "queued" | "running" | "done" | "failed" | "cancelled";
      /** @description Whether its findings are those that are shown. */
      is_current: boolean;
      /** @description The phase under way. */
      phase: string | null;
      /** @description All phases, in their order. */
      phases: string[];
      /** @description How much of it is complete. */
      percent: number;
      /** @description The user; null for a run by schedule. */
      started_by: string | null;
      error: components["schemas"]["CmdbsyncRunError"] | null;
      created_at: string;
      started_at: string | null;
      finished_at: string | null;
      version: number;
    };
    InsightlensInsightRunPage: {
      items: components["schemas"]["InsightlensInsightRun"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    InsightlensInsightSupplier: {
      id: string;
      /** @description Given by people, to those who see all its names; otherwise that of its card, or the most frequent one. */
      name: string;
      /**
      * @description Whether people have confirmed which names belong to it.
      * @enum {string}
      */
      state: "proposed" | "confirmed";
      /** @description Number of cards that are this supplier. */
      cards: number;
      /** @description Number of different names. */
      spellings: number;
      /** @description Number of cards that have a relation to it or name it. */
      dependants: number;
      /** @description Sum of the costs of these cards, in the currency of the workspace; null if no costs are visible. */
      spend: number | null;
      /** @description Share of the spend on all suppliers, 0 to 1. */
      share: number | null;
      decided_by: string | null;
      decided_at: string | null;
      version: number;
      /** @description Of the spend: ISO 4217. */
      currency: string;
      names: components["schemas"]["InsightlensInsightSupplierName"][];
      /** @description Cards that are this supplier, at most 200. */
      supplier_cards: components["schemas"]["BpmImpliedRelationCard"][];
      lock_in: components["schemas"]["InsightlensInsightSupplierLockIn"];
      /** @description The most critical ones first, at most 200. */
      dependent_cards: components["schemas"]["InsightlensInsightSupplierDependentCard"][];
    };
    /** @description Every change confirms which names that the caller sees belong to the supplier. */
    InsightlensInsightSupplierChange: {
      /** @enum {string} */
      state?: "proposed" | "confirmed";
      name?: string | null;
      /** @description Suppliers whose names become names of this one. */
      merge?: string[];
      split?: components["schemas"]["InsightlensChangeInsightSupplierSplit"];
    };
    InsightlensInsightSupplierDependentCard: {
      id: string;
      name: string;
      type: string;
      criticality: string | null;
      /** @description r, 0 to 1. */
      replaceable: number;
      cost: number | null;
    };
    /** @description What depends on it: how critical it is, and whether there is something else. `irreplaceable`: r is 0. */
    InsightlensInsightSupplierLockIn: {
      /** @description 0 to 100: 100 · Σ w·(1 − r) / Σ w over the cards that depend on it. w: criticality, from the number of options for the first one to 1; r: share of the capabilities of the card that a card of no or another supplier supports too, 0 without capabilities. Null without cards. */
      score: number | null;
      by_criticality: components["schemas"]["InsightlensInsightSupplierLockInByCriticality"][];
    };
    InsightlensInsightSupplierLockInByCriticality: {
      key: string | null;
      label: string | null;
      count: number;
      irreplaceable: number;
    };
    InsightlensInsightSupplierName: {
      /** @description The name without legal form, country, accents and case. */
      key: string;
      spellings: string[];
      /** @description Number of cards. */
      count: number;
      /**
      * @description Why it is a name of this supplier, compared with the most frequent one; null for that one.
      * @enum {string|null}
      */
      reason: "same_words" | "word_order" | "misspelling" | "romanisation" | "descriptor" | "alias" | "stated" | "decision" | null;
      /** @description 0 to 1. */
      score: number | null;
    };
    InsightlensInsightSupplierRow: {
      id: string;
      /** @description Given by people, to those who see all its names; otherwise that of its card, or the most frequent one. */
      name: string;
      /**
      * @description Whether people have confirmed which names belong to it.
      * @enum {string}
      */
      state: "proposed" | "confirmed";
      /** @description Number of cards that are this supplier. */
      cards: number;
      /** @description Number of different names. */
      spellings: number;
      /** @description Number of cards that have a relation to it or name it. */
      dependants: number;
      /** @description Sum of the costs of these cards, in the currency of the workspace; null if no costs are visible. */
      spend: number | null;
      /** @description Share of the spend on all suppliers, 0 to 1. */
      share: number | null;
      decided_by: string | null;
      decided_at: string | null;
      version: number;
    };
    InsightlensInsightSupplierRowPage: {
      items: components["schemas"]["InsightlensInsightSupplierRow"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    InsightlensInsightSupplierTree: {
      /** @description Parents before their children; those with the most dependent cards, at most 2,000. */
      items: components["schemas"]["InsightlensInsightSupplierTreeEntry"][];
      truncated: boolean;
      currency: string;
      /** @description A card of two suppliers counts for both. */
      total_spend: number | null;
      concentration: components["schemas"]["InsightlensInsightSupplierTreeConcentration"];
    };
    InsightlensInsightSupplierTreeConcentration: {
      by_spend: components["schemas"]["InsightlensInsightSupplierTreeConcentrationBySpend"];
      by_dependants: components["schemas"]["InsightlensInsightSupplierTreeConcentrationBySpend"];
    };
    InsightlensInsightSupplierTreeConcentrationBySpend: {
      /** @description Herfindahl index: the sum of the squares of the shares of all suppliers, from 1/n to 1. Null without figures. */
      hhi: number | null;
      /** @description 1 / hhi: so many suppliers with equal shares have this index. */
      effective_suppliers: number | null;
      largest_share: number | null;
    };
    InsightlensInsightSupplierTreeEntry: {
      id: string;
      name: string;
      dependants: number;
      spend: number | null;
      share: number | null;
      parent_id: string | null;
      /**
      * @description Why it is below its parent.
      * @enum {string|null}
      */
      evidence: "hierarchy" | "known_owner" | "name_and_shared_cards" | null;
    };
    InsightlensTransitionInsightFindingsOperation: {
      id: string;
      /** @description One of its `allowed_transitions`. */
      to: string;
      note?: string | null;
      /** @description The version the operation is meant for. */
      version?: number;
    };
    InsightlensUploadInsightFeedBody: {
      /** @description Files of the feed, up to 16 MiB. */
      files: string[];
    };
    InstallModuleBody: {
      package: string;
    };
    InstallModuleResult: {
      /** @description New modules. */
      loaded: string[];
      /** @description Modules of which another version is now used. */
      updated: string[];
      /** @description Modules whose code was removed; their data is kept. */
      removed: string[];
      /** @description Versions that are not used. If a previous version was active, it still is. */
      failed: components["schemas"]["InstallModuleResultFailed"][];
      /** @description Packages that are or should be modules and were not loaded. */
      ignored: components["schemas"]["InstallModuleResultIgnored"][];
    };
    InstallModuleResultFailed: {
      id: string;
      reason_code: string;
      reason: string;
    };
    InstallModuleResultIgnored: {
      package: string;
      reason: string;
    };
    Invitation: {
      id: string;
      email: string;
      /** @description A proposal, which the invited person may change. */
      display_name: string | null;
      /** @description Key of a role. */
      role: string;
      /** @description Language of the mail and of the account. */
      locale: string | null;
      /** @enum {string} */
      status: "pending" | "accepted" | "withdrawn" | "expired";
      invited_by: components["schemas"]["InvitationInvitedBy"] | null;
      /** @description The account that was made by it. */
      user_id: string | null;
      created_at: string;
      /** @description When a mail was last queued. */
      sent_at: string;
      expires_at: string;
      ended_at: string | null;
    };
    InvitationCreate: {
      /** @description Surrounding blanks are removed; the comparison ignores case. */
      email: string;
      /** @description Key of a role. */
      role: string;
      display_name?: string;
      /** @description BCP 47 tag. */
      locale?: string | null;
    };
    /** @description Whose permissions limit the role; null: the account was deleted, so that it must be resent. */
    InvitationInvitedBy: {
      id: string;
      display_name: string;
    };
    InvitationPage: {
      items: components["schemas"]["Invitation"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    Job: {
      id: string;
      /** @description The type of the job, such as `cards.purge`; those of a module begin with its id. */
      type: string;
      /** @description Whether the service has a handler for this type; without one, because its module is disabled or removed, the jobs wait. */
      has_handler: boolean;
      /**
      * @description queued: waits for its start time or a node; failed: after all attempts, with `error`.
      * @enum {string}
      */
      state: "queued" | "running" | "done" | "failed" | "cancelled";
      /** @description The origin of its changes in the event log. */
      origin: string;
      /** @description The parameters of the job, without secrets. */
      payload: unknown;
      /** @description The progress, in a format of the job type. */
      progress: unknown;
      /** @description The result; `null` until the job is done. */
      result: unknown;
      /** @description The error of the last attempt. */
      error: string | null;
      attempts: number;
      max_attempts: number;
      run_at: string;
      created_by: components["schemas"]["UserDirectoryEntry"] | null;
      /** @description Whether it runs with the permissions of `created_by`. */
      on_behalf: boolean;
      created_at: string;
      started_at: string | null;
      finished_at: string | null;
      /** @description Changes with the state, not with the progress. */
      version: number;
      /** @description The last ten failed attempts, the oldest first; kept when the job is retried. */
      failures: components["schemas"]["JobFailure"][];
    };
    JobFailure: {
      attempt: number;
      at: string;
      error: string;
    };
    JobItem: {
      id: string;
      /** @description The type of the job, such as `cards.purge`; those of a module begin with its id. */
      type: string;
      /** @description Whether the service has a handler for this type; without one, because its module is disabled or removed, the jobs wait. */
      has_handler: boolean;
      /**
      * @description queued: waits for its start time or a node; failed: after all attempts, with `error`.
      * @enum {string}
      */
      state: "queued" | "running" | "done" | "failed" | "cancelled";
      /** @description The origin of its changes in the event log. */
      origin: string;
      /** @description The parameters of the job, without secrets. */
      payload: unknown;
      /** @description The progress, in a format of the job type. */
      progress: unknown;
      /** @description The result; `null` until the job is done. */
      result: unknown;
      /** @description The error of the last attempt. */
      error: string | null;
      attempts: number;
      max_attempts: number;
      run_at: string;
      created_by: components["schemas"]["UserDirectoryEntry"] | null;
      /** @description Whether it runs with the permissions of `created_by`. */
      on_behalf: boolean;
      created_at: string;
      started_at: string | null;
      finished_at: string | null;
      /** @description Changes with the state, not with the progress. */
      version: number;
    };
    JobPage: {
      items: components["schemas"]["JobItem"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    JobStatus: {
      id: string;
      /** @description The type of the job; those of a module begin with its id. */
      type: string;
      /**
      * @description queued: waits for its start time, a node, or the next attempt; failed: after all attempts.
      * @enum {string}
      */
      state: "queued" | "running" | "done" | "failed" | "cancelled";
      /** @description The number of attempts that have begun. */
      attempt: number;
      max_attempts: number;
      /** @description The progress, in a format of the job type. */
      progress: unknown;
      /** @description The result; `null` until the job is done. */
      result: unknown;
      error: components["schemas"]["JobStatusError"] | null;
      created_at: string;
      started_at: string | null;
      finished_at: string | null;
      /** @description Changes with the state, not with the progress. */
      version: number;
    };
    /** @description The error of the last attempt; `internal_error` without details if it was not a problem. */
    JobStatusError: {
      code: string;
      detail: string;
    };
    JobSummary: {
      /** @description The type of the job, such as `cards.purge`; those of a module begin with its id. */
      type: string;
      /** @description Whether the service has a handler for this type; without one, because its module is disabled or removed, the jobs wait. */
      has_handler: boolean;
      queued: number;
      /** @description Queued jobs whose start time has come. */
      due: number;
      running: number;
      /** @description Failed after all attempts: kept for a retry until they are deleted. */
      failed: number;
      oldest_due_at: string | null;
    };
    JobSummaryPage: {
      items: components["schemas"]["JobSummary"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    JsonPatchOperation: {
      /** @enum {string} */
      op: "add" | "remove" | "replace" | "move" | "copy" | "test";
      path: string;
      from?: string;
      value?: unknown;
    };
    LandscapeReport: {
      type: components["schemas"]["FieldOption"];
      parent_type: components["schemas"]["FieldOption"];
      relation_type: components["schemas"]["FieldOption"];
      color_by?: components["schemas"]["LandscapeReportColorBy"];
      /** @description The highest ones. `count` is the number of distinct cards in the box and below. */
      boxes: components["schemas"]["LandscapeReportBox"][];
      unassigned: components["schemas"]["LandscapeReportUnassigned"];
      legend: components["schemas"]["LandscapeReportLegend"][];
      /** @description Number of cards, those in no box included. */
      total: number;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
      /** @description Whether there are more than 2,000 boxes, or more than 5,000 cards in boxes. */
      truncated: boolean;
    };
    LandscapeReportBox: {
      id: string;
      name: string;
      /** @description In the hierarchy of the type, from 1. */
      level: number;
      count: number;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
      /** @description The cards of the box itself, the first ones by name. */
      cards: components["schemas"]["LandscapeReportBoxCard"][];
      /** @description Boxes of the same shape. */
      children: Record<string, unknown>[];
    };
    LandscapeReportBoxCard: {
      id: string;
      name: string;
      /** @description Key of the legend. */
      color_key: string | null;
      href: string;
    };
    LandscapeReportColorBy: {
      field: string;
      label: string;
    };
    LandscapeReportLegend: {
      key: string | null;
      label: string;
      color: string;
      count: number;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
    };
    /** @description Cards that are in no box. */
    LandscapeReportUnassigned: {
      count: number;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
    };
    LifecycleReportEntry: {
      id: string;
      name: string;
      /** @description Key of the group. */
      group: string | null;
      href: string;
      /** @description Those with a day on the axis, with their whole range. */
      phases: components["schemas"]["LifecycleReportPhase"][];
    };
    LifecycleReportPage: {
      type: components["schemas"]["LifecycleReportPageType"];
      group_by?: components["schemas"]["LandscapeReportColorBy"];
      /** @description The day of the report, UTC. */
      today: string;
      /** @description The first day of the axis. */
      from: string;
      /** @description The last day of the axis. */
      to: string;
      phases: components["schemas"]["LifecycleReportPagePhase"][];
      /** @description In their order; without `group_by` there are none. */
      groups: components["schemas"]["DashboardReportByApproval"][];
      /** @description Cards with dates, by group and name. */
      items: components["schemas"]["LifecycleReportEntry"][];
      /** @description Number of cards with dates. */
      total: number;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
      without: components["schemas"]["LifecycleReportPageWithout"];
      /** @description Whether there are more than 500 cards with dates. */
      truncated: boolean;
    };
    LifecycleReportPagePhase: {
      /** @enum {string} */
      phase: "plan" | "phaseIn" | "active" | "phaseOut" | "endOfLife";
      label: string;
      color: string;
    };
    LifecycleReportPageType: {
      key: string;
      label: string;
    };
    /** @description Cards without any date. */
    LifecycleReportPageWithout: {
      count: number;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
    };
    LifecycleReportPhase: {
      /** @enum {string} */
      phase: "plan" | "phaseIn" | "active" | "phaseOut" | "endOfLife";
      /** @description First day. */
      from: string;
      /** @description The first day of the next phase; null for the last phase. */
      to: string | null;
    };
    LinkUserIdentityBody: {
      /** @description That of a provider in the settings, exactly as there. */
      issuer: string;
      /** @description The claim `sub` of the user at this issuer, not an e-mail address. */
      subject: string;
    };
    ListRiskFilesPage: {
      items: components["schemas"]["RiskFile"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    LoginBody: {
      email: string;
      password: string;
    };
    Logo: {
      /**
      * @description Determined from the bytes.
      * @enum {string}
      */
      media_type: "image/png" | "image/jpeg" | "image/webp" | "image/gif" | "image/svg+xml";
      /** @description Bytes. */
      size: number;
      version: number;
    };
    MatchDiagramCardsBody: {
      /** @description Card types to propose. Default: all. */
      types?: string[];
      /**
      * @description Lowest score of a candidate; 1: equal names.
      * @default 0.5
      */
      min_score?: number;
      /** @description Accepted matches: references to these cards are written into the shapes, as a new version. */
      matches?: components["schemas"]["MatchDiagramCardsMatch"][];
    };
    MatchDiagramCardsMatch: {
      page: number;
      cell_id: string;
      card_id: string;
    };
    MatchDiagramCardsResult: {
      /** @description Shapes that are of no card, and cards with similar names, the best first. */
      proposals: components["schemas"]["MatchDiagramCardsResultProposal"][];
      /** @description Whether the drawing has more than 1,000 such shapes, or more than 200 different labels. */
      is_truncated: boolean;
      /** @description Matches that were written. */
      applied: number;
      /** @description Of the diagram. */
      version: number;
      content_version: number;
    };
    MatchDiagramCardsResultProposal: {
      page: number;
      cell_id: string;
      text: string;
      candidates: components["schemas"]["MatchDiagramCardsResultProposalCandidate"][];
    };
    MatchDiagramCardsResultProposalCandidate: {
      card: components["schemas"]["DiagramCardRef"];
      /** @description 1: the names are equal except for case and accents. */
      score: number;
    };
    MatrixReport: {
      row_type: components["schemas"]["FieldOption"];
      col_type: components["schemas"]["FieldOption"];
      relation_type: components["schemas"]["FieldOption"];
      /** @enum {string} */
      direction: "outgoing" | "incoming";
      measure: components["schemas"]["MatrixReportMeasure"];
      /** @description In the order of the hierarchy: each card before those below it. */
      rows: components["schemas"]["MatrixReportRow"][];
      cols: components["schemas"]["MatrixReportRow"][];
      /** @description Only those with relations. */
      cells: components["schemas"]["MatrixReportCell"][];
      /** @description Number of relations. */
      total: number;
      /** @description The sum, if a number is measured. */
      sum?: number | null;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
      /** @description Whether there are more than 200 rows or columns, or 20,000 cells or values of cells: those with most are shown. */
      truncated: boolean;
    };
    MatrixReportCell: {
      row_id: string;
      col_id: string;
      count: number;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
      value?: (number | string) | null;
      /** @description Relations by value of the measured attribute; one with several values counts in each. */
      values?: components["schemas"]["DashboardReportByApproval"][];
    };
    MatrixReportMeasure: {
      key: string;
      label: string;
      unit?: string;
    };
    MatrixReportRow: {
      id: string;
      name: string;
      /** @description In the hierarchy of the type, from 1. */
      level: number;
      /** @description The nearest card above that has a row or column itself. */
      parent_id: string | null;
      /** @description Number of relations, those of columns or rows that are not shown included. */
      total: number;
      /** @description The sum, if a number is measured. */
      sum?: number | null;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
    };
    Me: {
      id: string;
      email: string;
      display_name: string;
      /** @description Key of a role. */
      role: string;
      /**
      * @description A service account logs in with a local password also where single sign-on is enforced.
      * @enum {string}
      */
      kind: "person" | "service";
      is_active: boolean;
      /** @enum {string} */
      auth_provider: "local" | "sso";
      locale: string | null;
      last_login_at: string | null;
      created_at: string;
      updated_at: string;
      version: number;
      preferences: {
        [key: string]: unknown;
      };
      /** @description Current application permissions; `*` for the administrator. */
      permissions: string[];
      /** @description By card type: permissions that the role grants or denies on cards of that type, overriding `permissions`. */
      permission_rules: {
        [key: string]: {
          [key: string]: boolean;
        };
      };
      signed_in_by: components["schemas"]["MeSignedInBy"];
    };
    MePatch: {
      display_name?: string;
      /** @description BCP 47 tag. */
      locale?: string | null;
      /** @description Merged into the stored preferences; `null` removes a member. At most 16 KiB. */
      preferences?: {
        [key: string]: unknown;
      };
    };
    /** @description By what the caller is authenticated. An API token may restrict `permissions`. */
    MeSignedInBy: {
      /** @enum {string} */
      kind: "session" | "api_token";
      /** @description Id of the session or of the API token. */
      id: string;
      /** @description Name of the API token. */
      name?: string;
      /**
      * @description How the session was started; `local`: with e-mail and password.
      * @enum {string}
      */
      method?: "local" | "sso";
      /** @description Id of the provider of single sign-on; null for a local log-in. */
      provider?: string | null;
      expires_at: string;
    };
    MetamodelRevision: {
      revision: number;
      at: string;
      actor: components["schemas"]["PpmHistoryActor"] | null;
      change_id: string | null;
      summary: string;
    };
    MetamodelRevisionPage: {
      items: components["schemas"]["MetamodelRevision"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    Module: {
      id: string;
      /** @description Version of this resource: its ETag. 0 if nothing is stored for the module. */
      version: number;
      /** @description Version of the module, by Semantic Versioning. */
      module_version: string | null;
      title: string;
      description: string | null;
      /**
      * @description discovered: never enabled; failed and incompatible: see `reason`.
      * @enum {string}
      */
      state: "discovered" | "enabled" | "disabled" | "failed" | "incompatible";
      /** @description Whether it is enabled. */
      enabled: boolean;
      reason: string | null;
      /** @description not_installed, broken, no_manifest, invalid_manifest, incompatible, requirement, migration, mount, activation or unstable. */
      reason_code: string | null;
      /** @description Why an update found in the same location is not used: the previous version still serves requests. */
      update_reason: string | null;
      /** @description Whether it is a third-party package, whose paths begin with `/api/v1/ext/`. */
      external: boolean;
      database_role: components["schemas"]["ModuleDatabaseRole"];
      requires: string[];
      required_by: string[];
      permissions: components["schemas"]["ModulePermission"][];
      routes: components["schemas"]["ModuleRoute"][];
      /** @description The effective settings, including defaults; for a secret only whether it `is_set`. */
      settings: {
        [key: string]: unknown;
      };
      settings_schema: {
        [key: string]: unknown;
      } | null;
    };
    ModuleDatabaseRole: {
      /**
      * @description own: its SQL runs as a database role, and its migrations as another one, that has rights to its own tables and to no data of the platform besides id, type, name and status of cards; shared: as the database user of the service.
      * @enum {string}
      */
      state: "own" | "shared";
      /** @description Why it is shared; with `own`, why its migrations have the rights of that user. */
      reason: string | null;
    };
    ModulePage: {
      items: components["schemas"]["Module"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    ModulePatch: {
      enabled?: boolean;
      /** @description Merge patch: an absent setting is unchanged, `null` restores its default, and removes a secret. */
      settings?: {
        [key: string]: unknown;
      };
    };
    ModulePermission: {
      key: string;
      description: string;
    };
    ModuleRoute: {
      method: string;
      path: string;
      /** @description Whether it can be called without logging in. */
      is_public: boolean;
    };
    ModuleSubscription: {
      name: string;
      /** @description Position of the last event delivered. */
      position: number;
      /** @description Number of later events in the log. */
      behind: number;
      /** @description Number of parked events. */
      parked: number;
    };
    ModuleSubscriptionPage: {
      items: components["schemas"]["ModuleSubscription"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    MoveRiskBody: {
      /** @enum {string} */
      to: "identified" | "analysed" | "mitigation_planned" | "in_progress" | "mitigated" | "monitoring" | "accepted" | "closed";
      comment?: string;
      /** @description The reason; required to accept a risk. */
      rationale?: string;
      /** @description The day on which an acceptance ends, after today (UTC); only for an acceptance. */
      expires_on?: string;
    };
    Notification: {
      id: string;
      /** @description Such as `mention`; those of modules begin with the id of the module. `GET /notifications/preferences` lists all. */
      kind: string;
      /** @description The text, in English and on one line. */
      title: string;
      /** @description Number of occurrences: one change of many cards is one notification. */
      count: number;
      subject: components["schemas"]["NotificationSubject"];
      actor: components["schemas"]["NotificationActor"] | null;
      /** @description Names of the changed fields, for one change of one card; costs are never named. */
      fields: string[];
      /** @description Path of the subject, below `/api/v1`; null if it was deleted. */
      link: string | null;
      /** @description Position of the event, the latest of several; null for notifications of modules. */
      event_id: number | null;
      created_at: string;
      updated_at: string;
      read_at: string | null;
      version: number;
    };
    /** @description The user who caused it; null for the system. */
    NotificationActor: {
      id: string;
      display_name: string;
    };
    NotificationPage: {
      items: components["schemas"]["Notification"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    NotificationPreferences: {
      /** @description All kinds. */
      kinds: {
        [key: string]: components["schemas"]["NotificationPreferencesKind"];
      };
      version: number;
    };
    NotificationPreferencesKind: {
      title: string;
      description: string;
      /** @description Id of the module that sends it. */
      module: string | null;
      /** @description Whether it is shown in the list. */
      in_app: boolean;
      /** @description Whether it is mailed, unless it is read before. */
      email: boolean;
    };
    NotificationPreferencesKindInput: {
      /** @description `null` restores the default. */
      in_app?: boolean | null;
      /** @description `null` restores the default. */
      email?: boolean | null;
    };
    NotificationPreferencesPatch: {
      /** @description By kind; `null` restores the defaults of a kind. */
      kinds: {
        [key: string]: components["schemas"]["NotificationPreferencesKindInput"] | null;
      };
    };
    /** @description The subject; the first of several. */
    NotificationSubject: {
      kind: string;
      id: string;
      type: string | null;
      name: string | null;
    };
    OwnTodo: {
      id: string;
      title: string;
      /** @enum {string} */
      status: "open" | "done";
      assignee_id: string | null;
      due_date: string | null;
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
      card: components["schemas"]["CardName"];
    };
    OwnTodoPage: {
      items: components["schemas"]["OwnTodo"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    ParkedEvent: {
      subscription: string;
      position: number;
      /** @description Type of the event; null if it is no longer retained. */
      type: string | null;
      error: string;
      attempts: number;
      parked_at: string;
      /** @description A retry is scheduled. */
      is_due: boolean;
    };
    ParkedEventPage: {
      items: components["schemas"]["ParkedEvent"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    Permission: {
      key: string;
      description: string;
      /**
      * @description `application`: granted by a role. `card`: granted by a stakeholder role on its card.
      * @enum {string}
      */
      scope: "application" | "card";
      /** @description `core`, or the id of the module that declares it. */
      owner: string;
      /** @description Whether a role can have rules for it by card type. */
      per_type: boolean;
      /** @description Roles that initially have it, in addition to the administrator role. */
      roles: string[];
    };
    PermissionPage: {
      items: components["schemas"]["Permission"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    Portal: {
      id: string;
      /** @description Its name in the address of the portal. */
      slug: string;
      title: string;
      /** @description Shown above the cards. */
      description: string | null;
      /** @description Key of the card type whose active cards it shows. */
      type: string;
      /**
      * @description What is shown of a card besides its name, in this order: `description`, `external_id`, `subtype`, `approval_status`, `lifecycle_phase` or `attributes.<key>`. Anything else does not exist for visitors.
      * @default []
      */
      fields: string[];
      /**
      * @description Those of `fields` that are published although they are costs; requires the permission to see the costs of the type. A field that becomes a cost later disappears until it is named here.
      * @default []
      */
      costs: string[];
      /**
      * @description Which cards it shows, by the filters of `GET /cards`: `subtype`, `approval_status`, `lifecycle_phase`, `external_id`, `tag` and `attributes.<key>[<operator>]`, but no costs. The fields need not be shown.
      * @default {}
      */
      filters: {
        [key: string]: string | number | boolean | null;
      };
      /**
      * @description Those of `fields` by which visitors can filter: options, numbers, dates, booleans.
      * @default []
      */
      visitor_filters: string[];
      /**
      * @description `name`, and those of `fields` with text, in which visitors can search.
      * @default [
      *       "name"
      *     ]
      */
      search_fields: string[];
      /**
      * @description `name`, or one of `fields`: the order of the cards.
      * @default name
      */
      sort_by: string;
      /**
      * @default asc
      * @enum {string}
      */
      sort_dir: "asc" | "desc";
      /**
      * @description Cards of a page, by default.
      * @default 25
      */
      page_size: number;
      /**
      * @description Whether everyone can read it without logging in.
      * @default false
      */
      is_published: boolean;
      /** @description The page for visitors: a path, or the whole address if the operator has set `PUBLIC_URL`. */
      page_url: string;
      /** @description What is not published, because the metamodel has changed. With a problem of `/type` or `/filters` the portal is closed. */
      problems: components["schemas"]["PortalProblem"][];
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    PortalCreate: {
      /** @description Its name in the address of the portal. */
      slug: string;
      title: string;
      /** @description Shown above the cards. */
      description?: string | null;
      /** @description Key of the card type whose active cards it shows. */
      type: string;
      /**
      * @description What is shown of a card besides its name, in this order: `description`, `external_id`, `subtype`, `approval_status`, `lifecycle_phase` or `attributes.<key>`. Anything else does not exist for visitors.
      * @default []
      */
      fields?: string[];
      /**
      * @description Those of `fields` that are published although they are costs; requires the permission to see the costs of the type. A field that becomes a cost later disappears until it is named here.
      * @default []
      */
      costs?: string[];
      /**
      * @description Which cards it shows, by the filters of `GET /cards`: `subtype`, `approval_status`, `lifecycle_phase`, `external_id`, `tag` and `attributes.<key>[<operator>]`, but no costs. The fields need not be shown.
      * @default {}
      */
      filters?: {
        [key: string]: string | number | boolean | null;
      };
      /**
      * @description Those of `fields` by which visitors can filter: options, numbers, dates, booleans.
      * @default []
      */
      visitor_filters?: string[];
      /**
      * @description `name`, and those of `fields` with text, in which visitors can search.
      * @default [
      *       "name"
      *     ]
      */
      search_fields?: string[];
      /**
      * @description `name`, or one of `fields`: the order of the cards.
      * @default name
      */
      sort_by?: string;
      /**
      * @default asc
      * @enum {string}
      */
      sort_dir?: "asc" | "desc";
      /**
      * @description Cards of a page, by default.
      * @default 25
      */
      page_size?: number;
      /**
      * @description Whether everyone can read it without logging in.
      * @default false
      */
      is_published?: boolean;
    };
    PortalPage: {
      items: components["schemas"]["Portal"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    PortalPatch: {
      /** @description Its name in the address of the portal. */
      slug?: string;
      title?: string;
      /** @description Shown above the cards. */
      description?: string | null;
      /** @description Key of the card type whose active cards it shows. */
      type?: string;
      /**
      * @description What is shown of a card besides its name, in this order: `description`, `external_id`, `subtype`, `approval_status`, `lifecycle_phase` or `attributes.<key>`. Anything else does not exist for visitors.
      * @default []
      */
      fields?: string[];
      /**
      * @description Those of `fields` that are published although they are costs; requires the permission to see the costs of the type. A field that becomes a cost later disappears until it is named here.
      * @default []
      */
      costs?: string[];
      /** @description Which cards it shows, by the filters of `GET /cards`: `subtype`, `approval_status`, `lifecycle_phase`, `external_id`, `tag` and `attributes.<key>[<operator>]`, but no costs. The fields need not be shown. */
      filters?: {
        [key: string]: string | number | boolean | null;
      };
      /**
      * @description Those of `fields` by which visitors can filter: options, numbers, dates, booleans.
      * @default []
      */
      visitor_filters?: string[];
      /**
      * @description `name`, and those of `fields` with text, in which visitors can search.
      * @default [
      *       "name"
      *     ]
      */
      search_fields?: string[];
      /**
      * @description `name`, or one of `fields`: the order of the cards.
      * @default name
      */
      sort_by?: string;
      /**
      * @default asc
      * @enum {string}
      */
      sort_dir?: "asc" | "desc";
      /**
      * @description Cards of a page, by default.
      * @default 25
      */
      page_size?: number;
      /**
      * @description Whether everyone can read it without logging in.
      * @default false
      */
      is_published?: boolean;
    };
    PortalProblem: {
      /** @description JSON pointer in the portal. */
      field: string;
      reason: string;
    };
    PortfolioReport: {
      type: string;
      type_label: string;
      total: number;
      href: string;
      axes: components["schemas"]["PortfolioReportAxes"];
      size?: components["schemas"]["PortfolioReportSize"];
      color?: components["schemas"]["PortfolioReportAxesX"];
      group_by?: components["schemas"]["PortfolioReportAxesX"];
      /** @description A card with several values of a field is in the bucket of each. */
      buckets: components["schemas"]["PortfolioReportBucket"][];
    };
    PortfolioReportAxes: {
      x: components["schemas"]["PortfolioReportAxesX"];
      y: components["schemas"]["PortfolioReportAxesX"];
    };
    PortfolioReportAxesX: {
      field: string;
      label: string;
      values: components["schemas"]["ReportGroup"][];
    };
    PortfolioReportBucket: {
      x: string | null;
      y: string | null;
      group?: string | null;
      count: number;
      href: string | null;
      /** @description Of `size`; null if no card of it has a visible value. */
      sum?: number | null;
      colors?: components["schemas"]["PortfolioReportBucketColor"][];
    };
    PortfolioReportBucketColor: {
      key: string | null;
      label: string;
      count: number;
      href: string | null;
      /** @description Of `size`; null if no card of it has a visible value. */
      sum?: number | null;
    };
    PortfolioReportSize: {
      field: string;
      label: string;
      currency?: string;
    };
    PpmAssignee: {
      id: string;
      display_name: string;
      is_active: boolean;
    };
    PpmBaseline: {
      id: string;
      /** @description The initiative. */
      card_id: string;
      name: string;
      /** @description Items of the plan when it was frozen. */
      items_count: number;
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    PpmBaselineCreate: {
      name: string;
    };
    PpmBaselinePage: {
      items: components["schemas"]["PpmBaseline"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    PpmBaselinePatch: {
      name?: string;
    };
    PpmBudget: {
      id: string;
      /** @description The initiative. */
      card_id: string;
      /** @description The calendar year in which the fiscal year begins. */
      fiscal_year: number;
      /**
      * @description Capital or operating expenditure.
      * @enum {string}
      */
      category: "capex" | "opex";
      amount: number;
      /** @description ISO 4217. Absent or null in a body: the currency of the workspace. */
      currency: string | null;
      description: string | null;
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    PpmBudgetCreate: {
      /** @description The calendar year in which the fiscal year begins. */
      fiscal_year: number;
      /**
      * @description Capital or operating expenditure.
      * @enum {string}
      */
      category: "capex" | "opex";
      amount: number;
      /** @description ISO 4217. Absent or null in a body: the currency of the workspace. */
      currency?: string | null;
      description?: string | null;
    };
    PpmBudgetPage: {
      items: components["schemas"]["PpmBudget"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    PpmBudgetPatch: {
      /** @description The calendar year in which the fiscal year begins. */
      fiscal_year?: number;
      /**
      * @description Capital or operating expenditure.
      * @enum {string}
      */
      category?: "capex" | "opex";
      amount?: number;
      /** @description ISO 4217. Absent or null in a body: the currency of the workspace. */
      currency?: string | null;
      description?: string | null;
    };
    PpmBudgetVsActualReport: {
      /** @description ISO 4217: that of the workspace, of all amounts. */
      currency: string;
      totals: components["schemas"]["PpmBudgetVsActualReportTotals"];
      /** @description Initiatives with amounts. */
      initiatives: number;
      years: components["schemas"]["PpmBudgetVsActualReportYear"][];
      /** @description At most 15 initiatives, those with the largest budgets first. */
      by_initiative: components["schemas"]["PpmBudgetVsActualReportByInitiative"][];
      /** @description By initiative, fiscal year and category; at most 2000. */
      rows: components["schemas"]["PpmBudgetVsActualReportRow"][];
      /** @description There are more rows; totals and years include them. */
      truncated: boolean;
      /** @description Currencies of lines that are left out without a rate. */
      missing_rates: string[];
      /** @description The caller may not see the costs of some initiatives: they are not included. */
      amounts_withheld: boolean;
    };
    PpmBudgetVsActualReportByInitiative: {
      id: string;
      name: string;
      href: string;
      budget: number;
      planned: number;
      actual: number;
      /** @description Cost lines: the actual amount of a line, or the planned one if there is none. */
      forecast: number;
      /** @description Budget less forecast: negative where more will be spent. */
      variance: number;
    };
    PpmBudgetVsActualReportRow: {
      id: string;
      name: string;
      fiscal_year: number;
      /** @enum {string} */
      category: "capex" | "opex";
      budget: number;
      planned: number;
      actual: number;
      /** @description Cost lines: the actual amount of a line, or the planned one if there is none. */
      forecast: number;
      /** @description Budget less forecast: negative where more will be spent. */
      variance: number;
    };
    PpmBudgetVsActualReportTotals: {
      budget: number;
      planned: number;
      actual: number;
      /** @description Cost lines: the actual amount of a line, or the planned one if there is none. */
      forecast: number;
      /** @description Budget less forecast: negative where more will be spent. */
      variance: number;
    };
    PpmBudgetVsActualReportYear: {
      fiscal_year: number;
      budget: number;
      planned: number;
      actual: number;
      /** @description Cost lines: the actual amount of a line, or the planned one if there is none. */
      forecast: number;
      /** @description Budget less forecast: negative where more will be spent. */
      variance: number;
    };
    PpmCost: {
      id: string;
      /** @description The initiative. */
      card_id: string;
      /** @description The item of the work breakdown that causes them. */
      wbs_id: string | null;
      description: string | null;
      /**
      * @description Capital or operating expenditure.
      * @enum {string}
      */
      category: "capex" | "opex";
      /** @default 0 */
      planned: number;
      /**
      * @description Below zero: a refund.
      * @default 0
      */
      actual: number;
      /** @description ISO 4217. Absent or null in a body: the currency of the workspace. */
      currency: string | null;
      date: string;
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    PpmCostCreate: {
      /** @description The item of the work breakdown that causes them. */
      wbs_id?: string | null;
      description?: string | null;
      /**
      * @description Capital or operating expenditure.
      * @enum {string}
      */
      category: "capex" | "opex";
      /** @default 0 */
      planned?: number;
      /**
      * @description Below zero: a refund.
      * @default 0
      */
      actual?: number;
      /** @description ISO 4217. Absent or null in a body: the currency of the workspace. */
      currency?: string | null;
      date: string;
    };
    PpmCostPage: {
      items: components["schemas"]["PpmCost"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    PpmCostPatch: {
      /** @description The item of the work breakdown that causes them. */
      wbs_id?: string | null;
      description?: string | null;
      /**
      * @description Capital or operating expenditure.
      * @enum {string}
      */
      category?: "capex" | "opex";
      /** @default 0 */
      planned?: number;
      /**
      * @description Below zero: a refund.
      * @default 0
      */
      actual?: number;
      /** @description ISO 4217. Absent or null in a body: the currency of the workspace. */
      currency?: string | null;
      date?: string;
    };
    PpmDashboardReport: {
      initiatives: components["schemas"]["BpmDashboardReportProcesses"];
      health: components["schemas"]["PpmDashboardReportHealth"][];
      completion: components["schemas"]["PpmDashboardReportCompletion"];
      late: components["schemas"]["PpmDashboardReportLate"];
      open_risks: components["schemas"]["PpmDashboardReportOpenRisks"];
      amounts: components["schemas"]["PpmDashboardReportAmounts"];
      /** @description At most 25 initiatives, the most urgent first. */
      attention: components["schemas"]["PpmDashboardReportAttention"][];
      /** @description At most 15 milestones that are not reached, by date. */
      milestones: components["schemas"]["PpmDashboardReportMilestone"][];
    };
    PpmDashboardReportAmounts: {
      /** @description ISO 4217. */
      currency: string;
      /** @description Initiatives whose costs the caller may see: the sums are over these. */
      initiatives: number;
      /** @description Sum of the budgets. */
      budget: number | null;
      /** @description Sum of the planned amounts of cost lines. */
      planned: number | null;
      /** @description Sum of the actual amounts of cost lines. */
      actual: number | null;
      /** @description Sum of cost lines, actual or planned. */
      forecast: number | null;
      /** @description Budget less forecast: negative where more will be spent. */
      variance: number | null;
      /** @description Currencies of lines that are left out without a rate. */
      missing_rates: string[];
      /** @description The caller may not see the costs of some of the initiatives. */
      amounts_withheld: boolean;
    };
    PpmDashboardReportAttention: {
      id: string;
      name: string;
      href: string;
      /** @enum {string|null} */
      health: "on_track" | "at_risk" | "off_track" | null;
      completion: number | null;
      end_date: string | null;
      late_items: number;
      /** @description Budget less forecast; null without a budget, and if amounts are withheld. */
      cost_variance: number | null;
      amounts_withheld: boolean;
      /** @description Why it needs attention, in the language of the request; the weightiest first. */
      reasons: components["schemas"]["PpmDashboardReportAttentionReason"][];
    };
    PpmDashboardReportAttentionReason: {
      /**
      * @description The reported health, the end of the plan, late items, amounts, or risks.
      * @enum {string}
      */
      area: "health" | "finish" | "items" | "costs" | "risks";
      text: string;
      /** @description One or two short lines for a narrow column. */
      short: string[];
    };
    PpmDashboardReportCompletion: {
      /** @description Without items of a work breakdown. */
      none: number;
      not_started: number;
      in_progress: number;
      complete: number;
      /** @description Per cent. */
      average: number | null;
    };
    PpmDashboardReportHealth: {
      /** @enum {string} */
      key: "on_track" | "at_risk" | "off_track" | "none";
      label: string;
      count: number;
      /** @description The list whose total is the count. */
      href: string;
    };
    PpmDashboardReportLate: {
      count: number;
      /** @description The list whose total is the count. */
      href: string;
      /** @description Late items of all initiatives. */
      items: number;
    };
    PpmDashboardReportMilestone: {
      id: string;
      title: string;
      date: string;
      is_late: boolean;
      initiative: components["schemas"]["PpmTaskInitiative"];
    };
    PpmDashboardReportOpenRisks: {
      initiatives: number;
      count: number;
    };
    PpmDependency: {
      id: string;
      /** @description The initiative. */
      card_id: string;
      /** @description An item of the work breakdown. */
      predecessor_id: string;
      /** @description The item that depends on it. */
      successor_id: string;
      /**
      * @description From the finish (F) or the start (S) of the predecessor to that of the successor: with FS the successor starts after the predecessor has finished.
      * @default FS
      * @enum {string}
      */
      type: "FS" | "SS" | "FF" | "SF";
      /**
      * @description Working days between the two; negative: an overlap.
      * @default 0
      */
      lag_days: number;
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    PpmDependencyCreate: {
      /** @description An item of the work breakdown. */
      predecessor_id: string;
      /** @description The item that depends on it. */
      successor_id: string;
      /**
      * @description From the finish (F) or the start (S) of the predecessor to that of the successor: with FS the successor starts after the predecessor has finished.
      * @default FS
      * @enum {string}
      */
      type?: "FS" | "SS" | "FF" | "SF";
      /**
      * @description Working days between the two; negative: an overlap.
      * @default 0
      */
      lag_days?: number;
    };
    PpmDependencyPage: {
      items: components["schemas"]["PpmDependency"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    PpmDependencyPatch: {
      /**
      * @description From the finish (F) or the start (S) of the predecessor to that of the successor: with FS the successor starts after the predecessor has finished.
      * @default FS
      * @enum {string}
      */
      type?: "FS" | "SS" | "FF" | "SF";
      /**
      * @description Working days between the two; negative: an overlap.
      * @default 0
      */
      lag_days?: number;
    };
    PpmEarnedValue: {
      card_id: string;
      date: string;
      /** @description Of the workspace; amounts are converted to it. */
      currency: string;
      baseline_id: string | null;
      /**
      * @description From what the values are computed: planned costs of items, or nothing, because no item has one above 0. Amounts that follow from them are then 0, indices and estimates are null.
      * @enum {string}
      */
      basis: "planned_costs" | "none";
      /** @description Sum of the budget lines of the initiative, for comparison: it has no effect on the values. Null without lines. */
      budget: number | null;
      /** @description Budget at completion: the sum of the planned costs of all items. */
      bac: number;
      /** @description Planned value: of each item the share of its planned working days that have passed. */
      pv: number;
      /** @description Earned value: planned costs times completion on the date. */
      ev: number;
      /** @description Actual cost: costs up to the date. */
      ac: number;
      /** @description Schedule variance, EV − PV. */
      sv: number;
      /** @description Cost variance, EV − AC. */
      cv: number;
      /** @description EV / PV, rounded to four digits; null if the divisor is 0, and without a basis. */
      spi: number | null;
      /** @description EV / AC, rounded to four digits; null if the divisor is 0, and without a basis. */
      cpi: number | null;
      /** @description Estimate at completion, by the formula; null if it cannot be computed, and without a basis. */
      eac: number | null;
      eac_formula: string;
      /** @description Estimate to complete, EAC − AC. */
      etc: number | null;
      /** @description Variance at completion, BAC − EAC. */
      vac: number | null;
      /** @description Items without a planned cost, other than milestones: they do not count. */
      items_without_cost: number;
      /** @description Currencies without an exchange rate on a date; these amounts are left out. */
      missing_rates: string[];
      series: components["schemas"]["PpmEarnedValueSeries"];
    };
    PpmEarnedValueSeries: {
      /**
      * @description Null for plans of more than 400 months.
      * @enum {string|null}
      */
      interval: "week" | "month" | null;
      /** @description Ends of weeks (Sundays) or months, and the last day. */
      points: components["schemas"]["PpmEarnedValueSeriesPoint"][];
    };
    PpmEarnedValueSeriesPoint: {
      date: string;
      /** @description At the end of the day. */
      pv: number;
      /** @description Null after the status date. */
      ev: number | null;
      /** @description Null after the status date. */
      ac: number | null;
    };
    PpmGantt: {
      card_id: string;
      title: string;
      /** @description Of all rows; null without rows. */
      start_date: string | null;
      finish_date: string | null;
      today: string;
      from_row: number;
      total_rows: number;
      rows: components["schemas"]["PpmGanttRow"][];
      /** @description Between items that are among the rows. */
      dependencies: components["schemas"]["PpmGanttDependency"][];
      /** @description Days between the start and the finish that are not worked; none for plans of more than ten years. */
      non_working: string[];
      baseline: components["schemas"]["PpmTaskInitiative"] | null;
    };
    PpmGanttDependency: {
      predecessor_id: string;
      successor_id: string;
      /** @enum {string} */
      type: "FS" | "SS" | "FF" | "SF";
      critical: boolean;
    };
    PpmGanttReport: {
      today: string;
      /** @description Initiatives with dates. */
      total: number;
      truncated: boolean;
      /** @description By start and name. */
      initiatives: components["schemas"]["PpmGanttReportInitiative"][];
    };
    PpmGanttReportInitiative: {
      id: string;
      name: string;
      href: string;
      /** @description Of the plan, otherwise of the card. */
      start_date: string;
      end_date: string;
      /** @description Per cent; null without items of a work breakdown. */
      completion: number | null;
      late_items: number;
      /**
      * @description The worst of the latest status report.
      * @enum {string|null}
      */
      health: "on_track" | "at_risk" | "off_track" | null;
      /** @description At most 12, by date. */
      milestones: components["schemas"]["PpmGanttReportInitiativeMilestone"][];
    };
    PpmGanttReportInitiativeMilestone: {
      id: string;
      title: string;
      date: string;
      reached: boolean;
    };
    PpmGanttRow: {
      id: string;
      outline: string;
      depth: number;
      title: string;
      /** @enum {string} */
      kind: "task" | "milestone" | "summary";
      start_date: string;
      finish_date: string;
      /** @description Percent; of a summary by the durations of what is below it. */
      completion: number;
      critical: boolean;
      /** @description Working days. */
      total_float: number;
      baseline: components["schemas"]["PpmGanttRowBaseline"] | null;
    };
    PpmGanttRowBaseline: {
      start_date: string;
      finish_date: string;
    };
    /** @description Of the latest status report. */
    PpmHealth: {
      /** @enum {string} */
      schedule: "on_track" | "at_risk" | "off_track";
      /** @enum {string} */
      cost: "on_track" | "at_risk" | "off_track";
      /** @enum {string} */
      scope: "on_track" | "at_risk" | "off_track";
      /**
      * @description The worst of the three.
      * @enum {string}
      */
      overall: "on_track" | "at_risk" | "off_track";
      report_date: string;
    };
    PpmHistoryActor: {
      id: string;
      display_name: string;
      token?: components["schemas"]["PpmHistoryActorToken"];
    };
    /** @description The API token by which the user acted. */
    PpmHistoryActorToken: {
      id: string;
      name: string;
    };
    PpmHistoryChange: {
      field: string;
      old: unknown;
      new: unknown;
      permission?: string;
    };
    PpmHistoryEntry: {
      version: number | null;
      at: string;
      type: string;
      actor: components["schemas"]["PpmHistoryActor"] | null;
      origin: string;
      change_id: string | null;
      request_id: string | null;
      changes: components["schemas"]["PpmHistoryChange"][];
    };
    PpmHistoryPage: {
      items: components["schemas"]["PpmHistoryEntry"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    PpmHoliday: {
      id: string;
      date: string;
      name: string;
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    PpmHolidayCreate: {
      date: string;
      name: string;
    };
    PpmHolidayPage: {
      items: components["schemas"]["PpmHoliday"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    PpmHolidayPatch: {
      date?: string;
      name?: string;
    };
    PpmInitiative: {
      id: string;
      name: string;
      subtype: string | null;
      status: string;
      parent_id: string | null;
      start_date: string | null;
      end_date: string | null;
      /** @description Of the lowest items of the work breakdown, weighted by working days; null without items. */
      completion: number | null;
      /** @description The lowest items of the work breakdown. */
      items: number;
      /** @description Items that should have been complete before today (UTC). */
      late_items: number;
      health: components["schemas"]["PpmHealth"] | null;
      open_risks: components["schemas"]["PpmOpenRisks"];
      /** @description At most 5 that are not reached, by date. */
      next_milestones: components["schemas"]["PpmNextMilestone"][];
      /** @description ISO 4217, of all amounts: that of the workspace. */
      currency: string;
      /** @description Sum of the budget lines, in the currency of the workspace; null if amounts are withheld. */
      budget: number | null;
      /** @description Sum of the planned amounts of cost lines, in the currency of the workspace; null if amounts are withheld. */
      planned: number | null;
      /** @description Sum of the actual amounts of cost lines, in the currency of the workspace; null if amounts are withheld. */
      actual: number | null;
      /** @description Sum of cost lines: the actual amount of a line, or the planned one if there is none, in the currency of the workspace; null if amounts are withheld. */
      forecast: number | null;
      /** @description Currencies of lines that the sums leave out, because the settings have no exchange rate for their date. */
      missing_rates: string[];
      /** @description The caller may not see the costs of the initiative. */
      amounts_withheld: boolean;
      /** @description The first 200 active initiatives directly below it; their figures are not part of its own. */
      children: components["schemas"]["PpmInitiativeItem"][];
      counts: components["schemas"]["PpmInitiativeCounts"];
      card_roll_up: components["schemas"]["PpmInitiativeCardRollUp"];
    };
    /** @description Values that are written to the card, at most every 5 seconds. If amounts are withheld, `pending` and `written_at` are null. */
    PpmInitiativeCardRollUp: {
      /** @description Fields of the card that are computed from the plan. */
      fields: ("costBudget" | "costActual" | "startDate" | "endDate")[];
      /** @description The card has not been compared with the plan since its last change. */
      pending: boolean | null;
      written_at: string | null;
    };
    PpmInitiativeCounts: {
      status_reports: number;
      wbs: number;
      tasks: number;
      open_tasks: number;
      dependencies: number;
      risks: number;
      baselines: number;
    };
    PpmInitiativeItem: {
      id: string;
      name: string;
      subtype: string | null;
      status: string;
      parent_id: string | null;
      start_date: string | null;
      end_date: string | null;
      /** @description Of the lowest items of the work breakdown, weighted by working days; null without items. */
      completion: number | null;
      /** @description The lowest items of the work breakdown. */
      items: number;
      /** @description Items that should have been complete before today (UTC). */
      late_items: number;
      health: components["schemas"]["PpmHealth"] | null;
      open_risks: components["schemas"]["PpmOpenRisks"];
      /** @description At most 5 that are not reached, by date. */
      next_milestones: components["schemas"]["PpmNextMilestone"][];
      /** @description ISO 4217, of all amounts: that of the workspace. */
      currency: string;
      /** @description Sum of the budget lines, in the currency of the workspace; null if amounts are withheld. */
      budget: number | null;
      /** @description Sum of the planned amounts of cost lines, in the currency of the workspace; null if amounts are withheld. */
      planned: number | null;
      /** @description Sum of the actual amounts of cost lines, in the currency of the workspace; null if amounts are withheld. */
      actual: number | null;
      /** @description Sum of cost lines: the actual amount of a line, or the planned one if there is none, in the currency of the workspace; null if amounts are withheld. */
      forecast: number | null;
      /** @description Currencies of lines that the sums leave out, because the settings have no exchange rate for their date. */
      missing_rates: string[];
      /** @description The caller may not see the costs of the initiative. */
      amounts_withheld: boolean;
    };
    PpmInitiativePage: {
      items: components["schemas"]["PpmInitiativeItem"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    PpmNextMilestone: {
      id: string;
      title: string;
      date: string;
      completion: number;
    };
    PpmOpenRisks: {
      count: number;
      highest_score: number | null;
    };
    PpmPlan: {
      card_id: string;
      /** @description The first day of the schedule; null: the earliest planned date, otherwise that of the card. */
      start_date: string | null;
      calendar: components["schemas"]["PpmPlanCalendar"] | null;
      effective_calendar: components["schemas"]["PpmPlanEffectiveCalendar"];
      wbs_count: number;
      task_count: number;
      dependency_count: number;
      /** @description Fields of the card whose values come from the plan. */
      rolled_up_fields: string[];
      version: number;
      updated_at: string | null;
    };
    PpmPlanCalendar: {
      /** @description By ISO 8601, 1 is Monday. Absent: those of the settings. */
      working_days?: number[];
      exceptions?: components["schemas"]["PpmPlanCalendarException"][];
    };
    PpmPlanCalendarException: {
      date: string;
      /** @description Whether the day is worked, also if it is a holiday of the organisation. */
      working: boolean;
      name?: string;
    };
    PpmPlanEffectiveCalendar: {
      working_days: number[];
      /** @description Days that are not worked although their weekday is, from a year ago to five years ahead. */
      holidays: components["schemas"]["PpmPlanEffectiveCalendarHoliday"][];
    };
    PpmPlanEffectiveCalendarHoliday: {
      date: string;
      name: string;
    };
    PpmPlanPatch: {
      /** @description The first day of the schedule; null: the earliest planned date, otherwise that of the card. */
      start_date?: string | null;
      calendar?: components["schemas"]["PpmPlanCalendar"] | null;
    };
    PpmResourceLoad: {
      from: string;
      to: string;
      /** @description Of the settings. */
      hours_per_day: number;
      weeks: components["schemas"]["PpmResourceLoadWeek"][];
      people: components["schemas"]["PpmResourceLoadPeople"][];
      /** @description Whether there are more persons. */
      truncated: boolean;
    };
    PpmResourceLoadPeople: {
      user_id: string;
      display_name: string;
      /** @description In these weeks. */
      total_hours: number;
      /** @description Of tasks without dates. */
      undated_hours: number;
      /** @description Tasks in these weeks, or without dates, that have no effort and so no hours here. */
      tasks_without_effort: number;
      overloaded_weeks: number;
      /** @description By week. */
      hours: number[];
      /** @description By week, the hours above the capacity. */
      overload: number[];
    };
    PpmResourceLoadWeek: {
      /** @description By ISO 8601. */
      week: string;
      from: string;
      /** @description Of one person: the working days of the organisation times the hours of a day. */
      capacity_hours: number;
    };
    PpmRisk: {
      id: string;
      /** @description The initiative. */
      card_id: string;
      title: string;
      /** @description Markdown. */
      description: string | null;
      /** @description From 1, very unlikely, to 5, almost certain. */
      probability: number;
      /** @description From 1, negligible, to 5, very severe. */
      impact: number;
      /** @description What is done about it; Markdown. */
      mitigation: string | null;
      owner_id: string | null;
      /**
      * @default open
      * @enum {string}
      */
      status: "open" | "mitigating" | "mitigated" | "closed" | "accepted";
      /** @description The risk of the register that was made from it. */
      promoted_risk_id: string | null;
      promoted_reference: string | null;
      /** @description Probability × impact. */
      score: number;
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    PpmRiskCreate: {
      title: string;
      /** @description Markdown. */
      description?: string | null;
      /** @description From 1, very unlikely, to 5, almost certain. */
      probability: number;
      /** @description From 1, negligible, to 5, very severe. */
      impact: number;
      /** @description What is done about it; Markdown. */
      mitigation?: string | null;
      owner_id?: string | null;
      /**
      * @default open
      * @enum {string}
      */
      status?: "open" | "mitigating" | "mitigated" | "closed" | "accepted";
    };
    PpmRiskPage: {
      items: components["schemas"]["PpmRisk"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    PpmRiskPatch: {
      title?: string;
      /** @description Markdown. */
      description?: string | null;
      /** @description From 1, very unlikely, to 5, almost certain. */
      probability?: number;
      /** @description From 1, negligible, to 5, very severe. */
      impact?: number;
      /** @description What is done about it; Markdown. */
      mitigation?: string | null;
      owner_id?: string | null;
      /**
      * @default open
      * @enum {string}
      */
      status?: "open" | "mitigating" | "mitigated" | "closed" | "accepted";
    };
    PpmScheduleEntry: {
      id: string;
      outline: string;
      depth: number;
      title: string;
      is_summary: boolean;
      is_milestone: boolean;
      /** @description Working days. Of a summary: from its start to its finish. */
      duration_days: number;
      /** @description Neither a duration nor both dates are planned: one day is assumed. */
      duration_assumed: boolean;
      start_date: string;
      /** @description The last day of the item. A milestone is on the day at whose end it falls. */
      finish_date: string;
      early_start: string;
      early_finish: string;
      late_start: string;
      late_finish: string;
      /** @description Working days. By which the item can be late without making the plan late; negative if it is late already. */
      total_float: number;
      /** @description Working days. By which the item can be late without moving another item. */
      free_float: number;
      /** @description Without total float. */
      critical: boolean;
    };
    PpmSchedulePage: {
      card_id: string;
      /** @description The first working day of the plan. */
      start_date: string;
      /** @description The last day of the plan; null without items. */
      finish_date: string | null;
      finish_by: string | null;
      /** @description Working days. From the start to the finish. */
      duration_days: number;
      /** @description All items, or those that were asked for, in the order of the tree; at most 10,000. */
      items: components["schemas"]["PpmScheduleEntry"][];
      /** @description Constraints that predecessors do not allow to be met. */
      conflicts: components["schemas"]["PpmSchedulePageConflict"][];
    };
    PpmSchedulePageConflict: {
      item_id: string;
      title: string;
      /** @enum {string} */
      constraint_type: "as_soon_as_possible" | "as_late_as_possible" | "must_start_on" | "must_finish_on" | "start_no_earlier_than" | "start_no_later_than" | "finish_no_earlier_than" | "finish_no_later_than";
      /** @description The date of the constraint. */
      wanted: string;
      /** @description The start or finish as scheduled. */
      computed: string;
      driven_by: components["schemas"]["PpmSchedulePageConflictDrivenBy"] | null;
    };
    /** @description The dependency that determines the date; null for the start of the plan. */
    PpmSchedulePageConflictDrivenBy: {
      dependency_id: string;
      predecessor_id: string;
      /** @description Of the predecessor. */
      title: string;
      /** @enum {string} */
      type: "FS" | "SS" | "FF" | "SF";
    };
    PpmStatusReport: {
      id: string;
      /** @description The initiative. */
      card_id: string;
      report_date: string;
      /**
      * @description Dates.
      * @enum {string}
      */
      schedule_health: "on_track" | "at_risk" | "off_track";
      /**
      * @description Costs; a judgement, not a figure.
      * @enum {string}
      */
      cost_health: "on_track" | "at_risk" | "off_track";
      /**
      * @description What is delivered.
      * @enum {string}
      */
      scope_health: "on_track" | "at_risk" | "off_track";
      /** @description As estimated. */
      percent_complete: number | null;
      /** @description Markdown. */
      summary: string | null;
      /** @description Markdown. */
      accomplishments: string | null;
      /** @description Markdown. */
      next_steps: string | null;
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    PpmStatusReportCreate: {
      report_date: string;
      /**
      * @description Dates.
      * @enum {string}
      */
      schedule_health: "on_track" | "at_risk" | "off_track";
      /**
      * @description Costs; a judgement, not a figure.
      * @enum {string}
      */
      cost_health: "on_track" | "at_risk" | "off_track";
      /**
      * @description What is delivered.
      * @enum {string}
      */
      scope_health: "on_track" | "at_risk" | "off_track";
      /** @description As estimated. */
      percent_complete?: number | null;
      /** @description Markdown. */
      summary?: string | null;
      /** @description Markdown. */
      accomplishments?: string | null;
      /** @description Markdown. */
      next_steps?: string | null;
    };
    PpmStatusReportPage: {
      items: components["schemas"]["PpmStatusReport"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    PpmStatusReportPatch: {
      report_date?: string;
      /**
      * @description Dates.
      * @enum {string}
      */
      schedule_health?: "on_track" | "at_risk" | "off_track";
      /**
      * @description Costs; a judgement, not a figure.
      * @enum {string}
      */
      cost_health?: "on_track" | "at_risk" | "off_track";
      /**
      * @description What is delivered.
      * @enum {string}
      */
      scope_health?: "on_track" | "at_risk" | "off_track";
      /** @description As estimated. */
      percent_complete?: number | null;
      /** @description Markdown. */
      summary?: string | null;
      /** @description Markdown. */
      accomplishments?: string | null;
      /** @description Markdown. */
      next_steps?: string | null;
    };
    PpmTask: {
      id: string;
      /** @description The initiative. */
      card_id: string;
      /** @description The item of the work breakdown that it belongs to. */
      wbs_id: string | null;
      title: string;
      /** @description Markdown. */
      description: string | null;
      /**
      * @description A task that gets another status becomes the last one of it; `move` puts it elsewhere.
      * @default todo
      * @enum {string}
      */
      status: "todo" | "in_progress" | "blocked" | "done";
      /**
      * @default medium
      * @enum {string}
      */
      priority: "low" | "medium" | "high" | "critical";
      /** @description A user. */
      assignee_id: string | null;
      start_date: string | null;
      due_date: string | null;
      /** @description Estimated hours of work. */
      effort_hours: number | null;
      /** @default [] */
      tags: string[];
      completed_at: string | null;
      assignee: components["schemas"]["PpmAssignee"] | null;
      initiative: components["schemas"]["PpmTaskInitiative"];
      comment_count: number;
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    PpmTaskComment: {
      id: string;
      /** @description The initiative. */
      card_id: string;
      task_id: string;
      /** @description Markdown. */
      text: string;
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    PpmTaskCommentCreate: {
      /** @description Markdown. */
      text: string;
    };
    PpmTaskCommentPage: {
      items: components["schemas"]["PpmTaskComment"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    PpmTaskCreate: {
      /** @description The item of the work breakdown that it belongs to. */
      wbs_id?: string | null;
      title: string;
      /** @description Markdown. */
      description?: string | null;
      /**
      * @description A task that gets another status becomes the last one of it; `move` puts it elsewhere.
      * @default todo
      * @enum {string}
      */
      status?: "todo" | "in_progress" | "blocked" | "done";
      /**
      * @default medium
      * @enum {string}
      */
      priority?: "low" | "medium" | "high" | "critical";
      /** @description A user. */
      assignee_id?: string | null;
      start_date?: string | null;
      due_date?: string | null;
      /** @description Estimated hours of work. */
      effort_hours?: number | null;
      /** @default [] */
      tags?: string[];
    };
    PpmTaskInitiative: {
      id: string;
      name: string;
    };
    PpmTaskMove: {
      /**
      * @description The new column of the board.
      * @enum {string}
      */
      status: "todo" | "in_progress" | "blocked" | "done";
      /** @description A task with this status, before which it is placed. */
      before_id?: string;
      /** @description The same, after which it is placed. Without both it becomes the last. */
      after_id?: string;
    };
    PpmTaskPage: {
      items: components["schemas"]["PpmTask"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    PpmTaskPatch: {
      /** @description The item of the work breakdown that it belongs to. */
      wbs_id?: string | null;
      title?: string;
      /** @description Markdown. */
      description?: string | null;
      /**
      * @description A task that gets another status becomes the last one of it; `move` puts it elsewhere.
      * @default todo
      * @enum {string}
      */
      status?: "todo" | "in_progress" | "blocked" | "done";
      /**
      * @default medium
      * @enum {string}
      */
      priority?: "low" | "medium" | "high" | "critical";
      /** @description A user. */
      assignee_id?: string | null;
      start_date?: string | null;
      due_date?: string | null;
      /** @description Estimated hours of work. */
      effort_hours?: number | null;
      /** @default [] */
      tags?: string[];
    };
    PpmWbsItem: {
      id: string;
      /** @description The initiative. */
      card_id: string;
      /** @description The item above it; changed by `move`. */
      parent_id: string | null;
      title: string;
      /** @description Markdown. */
      description: string | null;
      /**
      * @description An event without a duration, at the end of the day of its date.
      * @default false
      */
      is_milestone: boolean;
      start_date: string | null;
      end_date: string | null;
      /** @description Working days. With both dates it follows from the calendar of the plan. */
      duration_days: number | null;
      /**
      * @description For the schedule. Null: it starts no earlier than its `start_date`.
      * @enum {string|null}
      */
      constraint_type: "as_soon_as_possible" | "as_late_as_possible" | "must_start_on" | "must_finish_on" | "start_no_earlier_than" | "start_no_later_than" | "finish_no_earlier_than" | "finish_no_later_than" | null;
      constraint_date: string | null;
      /**
      * @description Percent.
      * @default 0
      */
      completion: number;
      /** @description Null for callers who may not see the costs of the card. */
      planned_cost: number | null;
      /** @description ISO 4217; absent or null in a body with `planned_cost`: the currency of the workspace. */
      planned_currency: string | null;
      /** @description A user. */
      assignee_id: string | null;
      /** @description Of an imported item; unique in the plan. */
      external_id: string | null;
      /** @description Number of items above it. */
      depth: number;
      /** @description Place in the tree. */
      outline: string;
      /** @description Items directly below it. With some it is a summary: its dates, duration, completion and planned cost, the latter in the currency of the workspace, are computed from them. */
      children_count: number;
      assignee: components["schemas"]["PpmAssignee"] | null;
      /** @description Currencies without an exchange rate, whose amounts are not in the planned cost of a summary. */
      missing_rates: string[];
      /** @description The caller may not see the costs of the card: amounts are null. */
      amounts_withheld: boolean;
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    PpmWbsItemCreate: {
      title: string;
      /** @description The item above it; changed by `move`. */
      parent_id?: string | null;
      /** @description Markdown. */
      description?: string | null;
      /**
      * @description An event without a duration, at the end of the day of its date.
      * @default false
      */
      is_milestone?: boolean;
      start_date?: string | null;
      end_date?: string | null;
      /** @description Working days. With both dates it follows from the calendar of the plan. */
      duration_days?: number | null;
      /**
      * @description For the schedule. Null: it starts no earlier than its `start_date`.
      * @enum {string|null}
      */
      constraint_type?: "as_soon_as_possible" | "as_late_as_possible" | "must_start_on" | "must_finish_on" | "start_no_earlier_than" | "start_no_later_than" | "finish_no_earlier_than" | "finish_no_later_than" | null;
      constraint_date?: string | null;
      /**
      * @description Percent.
      * @default 0
      */
      completion?: number;
      /** @description Null for callers who may not see the costs of the card. */
      planned_cost?: number | null;
      /** @description ISO 4217; absent or null in a body with `planned_cost`: the currency of the workspace. */
      planned_currency?: string | null;
      /** @description A user. */
      assignee_id?: string | null;
      /** @description Of an imported item; unique in the plan. */
      external_id?: string | null;
      /** @description An item of the same parent, before which it is placed. */
      before_id?: string;
      /** @description The same, after which it is placed. Without both it becomes the last. */
      after_id?: string;
    };
    PpmWbsItemMove: {
      /** @description The new item above it; null: none. */
      parent_id: string | null;
      /** @description An item of the same parent, before which it is placed. */
      before_id?: string;
      /** @description The same, after which it is placed. Without both it becomes the last. */
      after_id?: string;
    };
    PpmWbsItemUpdate: {
      title?: string;
      /** @description Markdown. */
      description?: string | null;
      /**
      * @description An event without a duration, at the end of the day of its date.
      * @default false
      */
      is_milestone?: boolean;
      start_date?: string | null;
      end_date?: string | null;
      /** @description Working days. With both dates it follows from the calendar of the plan. */
      duration_days?: number | null;
      /**
      * @description For the schedule. Null: it starts no earlier than its `start_date`.
      * @enum {string|null}
      */
      constraint_type?: "as_soon_as_possible" | "as_late_as_possible" | "must_start_on" | "must_finish_on" | "start_no_earlier_than" | "start_no_later_than" | "finish_no_earlier_than" | "finish_no_later_than" | null;
      constraint_date?: string | null;
      /**
      * @description Percent.
      * @default 0
      */
      completion?: number;
      /** @description Null for callers who may not see the costs of the card. */
      planned_cost?: number | null;
      /** @description ISO 4217; absent or null in a body with `planned_cost`: the currency of the workspace. */
      planned_currency?: string | null;
      /** @description A user. */
      assignee_id?: string | null;
      /** @description Of an imported item; unique in the plan. */
      external_id?: string | null;
    };
    PpmWbsPage: {
      items: components["schemas"]["PpmWbsItem"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    PreviewCmdbsyncMappingBody: {
      /**
      * @description Number of records at most.
      * @default 5
      */
      limit: number;
    };
    PromotePpmRiskBody: {
      /**
      * @description In the register.
      * @default operational
      * @enum {string}
      */
      category?: "security" | "compliance" | "operational" | "technology" | "financial" | "reputational" | "strategic";
    };
    ProposeDiagramRelation: {
      type: string;
      source_id: string;
      target_id: string;
    };
    ProposeDiagramRelationsBody: {
      /** @description Candidates to create, with the rights of the caller; all or none. */
      relations?: components["schemas"]["ProposeDiagramRelation"][];
    };
    ProposeDiagramRelationsResult: {
      /** @description Edges between shapes of cards that have no relation yet, one entry for each pair of cards; the first 500. */
      proposals: components["schemas"]["ProposeDiagramRelationsResultProposal"][];
      is_truncated: boolean;
      /** @description The relations that the request created. */
      created: components["schemas"]["CardImpactEdge"][];
    };
    ProposeDiagramRelationsResultProposal: {
      source: components["schemas"]["DiagramCardRef"];
      target: components["schemas"]["DiagramCardRef"];
      /** @description Of the first of the edges that has one. */
      label: string;
      edges: components["schemas"]["ProposeDiagramRelationsResultProposalEdge"][];
      /** @description Relation types of the metamodel between cards of these types, the most likely first. Empty if there are none. */
      candidates: components["schemas"]["ProposeDiagramRelationsResultProposalCandidate"][];
    };
    ProposeDiagramRelationsResultProposalCandidate: {
      type: string;
      label: string;
      source_id: string;
      target_id: string;
      /** @description Whether it goes against the direction of the edge. */
      is_reverse: boolean;
      /** @description Whether the edge has the label of the type. */
      matches_label: boolean;
    };
    ProposeDiagramRelationsResultProposalEdge: {
      page: number;
      cell_id: string;
    };
    PublicPortal: {
      slug: string;
      title: string;
      description: string | null;
      type: components["schemas"]["LifecycleReportPageType"];
      /** @description What is shown of a card besides its name. */
      fields: components["schemas"]["PublicPortalField"][];
      /** @description Keys of the fields by which cards can be filtered. */
      filters: string[];
      /** @description Values of `sort_by`. */
      sorts: string[];
      has_search: boolean;
      page_size: number;
      /** @description ISO 4217 code of costs, if any are shown. */
      currency: string | null;
    };
    PublicPortalCard: {
      id: string;
      name: string;
      /** @description Values by the keys of the fields of the portal; null where a card has none. */
      fields: {
        [key: string]: unknown;
      };
    };
    PublicPortalCardPage: {
      items: components["schemas"]["PublicPortalCard"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    PublicPortalField: {
      key: string;
      label: string;
      /** @enum {string} */
      kind: "option" | "options" | "text" | "number" | "date" | "boolean";
      unit: string | null;
      options: components["schemas"]["PublicPortalFieldOption"][];
    };
    PublicPortalFieldOption: {
      key: string;
      label: string;
      color: string | null;
    };
    ReadAllNotificationsBody: {
      /** @description Notifications created or updated after this time stay unread: send the latest `updated_at` that was displayed. */
      until?: string;
    };
    ReadAllNotificationsResult: {
      /** @description Number of notifications that were unread. */
      count: number;
    };
    Readiness: {
      /** @constant */
      status: "ready";
      checks: components["schemas"]["ReadinessChecks"];
    };
    ReadinessChecks: {
      database: string;
      /** @description newer: a newer version has migrated the database; this node serves until it is replaced, but would not start again. */
      migrations: string;
      /**
      * @description other_key: the stored secrets are encrypted with a key that this node does not have.
      * @enum {string}
      */
      secrets?: "ok" | "other_key" | "unknown";
      /**
      * @description full: writes are refused because of low disk space; reads are served.
      * @enum {string}
      */
      storage?: "ok" | "full";
      /**
      * @description degraded: an enabled module does not run; everything else is served.
      * @enum {string}
      */
      modules: "ok" | "degraded";
    };
    /** @description Absent, or any object, when a valid bearer token is sent. */
    RefreshBody: {
      refresh_token?: string;
    } & {
      [key: string]: unknown;
    };
    RegisterBody: {
      /** @description Surrounding blanks are removed; the comparison ignores case. */
      email: string;
      /** @description At least 10 characters; very common passwords are not allowed. */
      password: string;
      display_name: string;
      /** @description Required for the first user when registering from another machine than that of the service: the one-time code in its log. */
      setup_code?: string;
    };
    RejectAdrBody: {
      /** @description The reason: what must be changed. */
      reason: string;
    };
    RejectBpmVersionBody: {
      reason: string;
    };
    Relation: {
      id: string;
      type: string;
      source_id: string;
      target_id: string;
      source: components["schemas"]["CardName"];
      target: components["schemas"]["CardName"];
      attributes: {
        [key: string]: unknown;
      };
      description: string | null;
      valid_from: string | null;
      valid_to: string | null;
      created_at: string;
      updated_at: string;
      version: number;
      source_card?: components["schemas"]["Card"];
      target_card?: components["schemas"]["Card"];
    };
    RelationBulk: {
      /**
      * @description Default all_or_nothing.
      * @enum {string}
      */
      mode?: "all_or_nothing" | "per_row";
      operations: components["schemas"]["RelationBulkOperation"][];
    };
    RelationBulkOperation: {
      /** @enum {string} */
      op: "create" | "update" | "upsert" | "delete";
      id?: string;
      version?: number;
      type?: string;
      source_id?: string;
      target_id?: string;
      source?: components["schemas"]["CardPointer"];
      target?: components["schemas"]["CardPointer"];
      /** @description Values by field key of the relation type; `null` removes. */
      attributes?: {
        [key: string]: unknown;
      };
      description?: string | null;
      valid_from?: string | null;
      valid_to?: string | null;
    };
    RelationBulkResult: {
      change_id: string;
      summary: {
        [key: string]: number;
      };
      results: components["schemas"]["RelationBulkRow"][];
    };
    RelationBulkRow: {
      index: number;
      id?: string;
      version?: number;
      /** @enum {string} */
      outcome: "created" | "updated" | "unchanged" | "deleted" | "failed";
      errors?: components["schemas"]["FieldError"][];
    };
    RelationCreate: {
      type: string;
      source_id: string;
      target_id: string;
      /** @description Values by field key of the relation type; `null` removes. */
      attributes?: {
        [key: string]: unknown;
      };
      description?: string | null;
      valid_from?: string | null;
      valid_to?: string | null;
    };
    RelationPage: {
      items: components["schemas"]["Relation"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    /** @description JSON Merge Patch; type and ends do not change. */
    RelationPatch: {
      /** @description Values by field key of the relation type; `null` removes. */
      attributes?: {
        [key: string]: unknown;
      };
      description?: string | null;
      valid_from?: string | null;
      valid_to?: string | null;
    };
    RelationType: {
      key: string;
      label: string;
      reverse_label: string;
      /** @description A card type, or `*` for any. */
      source_type: string;
      /** @description A card type, or `*` for any. */
      target_type: string;
      /** @enum {string} */
      cardinality: "1:1" | "1:n" | "n:m";
      fields: components["schemas"]["FieldDefinition"][];
      source_mandatory: boolean;
      target_mandatory: boolean;
      allow_self: boolean;
      is_hidden: boolean;
      built_in: boolean;
      translations: {
        [key: string]: {
          [key: string]: string;
        };
      };
      sort_order: number;
      updated_at: string;
      version: number;
    };
    RelationTypeCreate: {
      /** @description A letter, then letters, digits and underscores, at most 63. */
      key: string;
      label: string;
      /** @description A card type, or `*` for any. */
      source_type: string;
      /** @description A card type, or `*` for any. */
      target_type: string;
      reverse_label?: string;
      /**
      * @description `1:n`: a target has at most one source.
      * @enum {string}
      */
      cardinality?: "1:1" | "1:n" | "n:m";
      fields?: components["schemas"]["FieldDefinitionInput"][];
      source_mandatory?: boolean;
      target_mandatory?: boolean;
      allow_self?: boolean;
      is_hidden?: boolean;
      sort_order?: number;
      /** @description By locale, then by the translated member, such as `label` or `fields.costBudget`. */
      translations?: {
        [key: string]: {
          [key: string]: string;
        };
      };
    };
    RelationTypePage: {
      items: components["schemas"]["RelationType"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    /** @description JSON Merge Patch; lists are replaced as a whole. */
    RelationTypePatch: {
      label?: string;
      /** @description A card type, or `*` for any. */
      source_type?: string;
      /** @description A card type, or `*` for any. */
      target_type?: string;
      reverse_label?: string;
      /**
      * @description `1:n`: a target has at most one source.
      * @enum {string}
      */
      cardinality?: "1:1" | "1:n" | "n:m";
      fields?: components["schemas"]["FieldDefinitionInput"][];
      source_mandatory?: boolean;
      target_mandatory?: boolean;
      allow_self?: boolean;
      is_hidden?: boolean;
      sort_order?: number;
      translations?: {
        [key: string]: {
          [key: string]: string | null;
        } | null;
      };
    };
    Report: {
      /** @description The last part of its path. */
      id: string;
      module: string;
      title: string;
      description: string;
      href: string;
      formats: ("json" | "csv" | "xlsx" | "svg" | "png")[];
      /** @description JSON Schema of the query, with the filters of cards if the report takes them. */
      parameters: {
        [key: string]: unknown;
      };
      permission: string;
    };
    ReportGroup: {
      key: string | null;
      label: string;
      color?: string;
    };
    ReportPage: {
      items: components["schemas"]["Report"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    RequestAdrSignaturesBody: {
      /** @description The signatories: active users with the permission to sign. */
      user_ids: string[];
      /** @description A message to the signatories. */
      message?: string;
    };
    RequestEmailChangeBody: {
      current_password: string;
      /** @description Surrounding blanks are removed; the comparison ignores case. */
      email: string;
    };
    ResetPasswordBody: {
      /** @description From the link of the mail, after `#token=`. */
      token: string;
      /** @description At least 10 characters; very common passwords are not allowed. */
      password: string;
    };
    RetryJobsBody: {
      /** @description A type, or a prefix of types that ends in a dot. */
      type?: string;
      /**
      * @default failed
      * @enum {string}
      */
      state?: "failed" | "cancelled";
    };
    RetryJobsResult: {
      retried: number;
      /** @description Number of remaining jobs that the same call would retry. */
      remaining: number;
    };
    Risk: {
      id: string;
      title: string;
      /** @enum {string} */
      category: "security" | "compliance" | "operational" | "technology" | "financial" | "reputational" | "strategic";
      /** @description Markdown. */
      description: string | null;
      /**
      * @description Before anything is done about it.
      * @enum {string|null}
      */
      initial_probability: "very_high" | "high" | "medium" | "low" | null;
      /** @enum {string|null} */
      initial_impact: "critical" | "high" | "medium" | "low" | null;
      /**
      * @description Probability after mitigation.
      * @enum {string|null}
      */
      residual_probability: "very_high" | "high" | "medium" | "low" | null;
      /** @enum {string|null} */
      residual_impact: "critical" | "high" | "medium" | "low" | null;
      owner_id: string | null;
      target_date: string | null;
      /** @description The links with cards visible to the caller. */
      cards: components["schemas"]["RiskCardValue"][];
      /** @enum {string} */
      status: "identified" | "analysed" | "mitigation_planned" | "in_progress" | "mitigated" | "monitoring" | "accepted" | "closed";
      /**
      * @description By the matrix of the settings.
      * @enum {string|null}
      */
      initial_level: "critical" | "high" | "medium" | "low" | null;
      /**
      * @description By the matrix of the settings.
      * @enum {string|null}
      */
      residual_level: "critical" | "high" | "medium" | "low" | null;
      closed_at: string | null;
      /** @description The possible next states. */
      allowed_transitions: ("identified" | "analysed" | "mitigation_planned" | "in_progress" | "mitigated" | "monitoring" | "accepted" | "closed")[];
      /** @description Unique and without gaps. */
      reference: string;
      /**
      * @description The residual level, or the initial one if the residual risk is not rated.
      * @enum {string|null}
      */
      level: "critical" | "high" | "medium" | "low" | null;
      owner: components["schemas"]["PpmAssignee"] | null;
      /** @description The target date has passed (UTC) and the risk is not yet mitigated, accepted or closed. */
      is_overdue: boolean;
      acceptance: components["schemas"]["RiskAcceptance"] | null;
      mitigations: components["schemas"]["RiskMitigations"];
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    RiskAcceptance: {
      rationale: string;
      expires_on: string;
      accepted_by: string | null;
      accepted_at: string;
    };
    RiskBulk: {
      /**
      * @description Default all_or_nothing.
      * @enum {string}
      */
      mode?: "all_or_nothing" | "per_row";
      operations: components["schemas"]["RiskBulkOperation"][];
    };
    RiskBulkOperation: {
      /** @enum {string} */
      op: "create" | "update" | "transition" | "delete";
      /** @description Identifies the created resource; later operations of the request use `ref` instead of `id`. */
      ref?: string;
      id?: string;
      /** @description The version the operation is meant for. */
      version?: number;
      risk?: components["schemas"]["RiskBulkOperationRisk"];
      /** @enum {string} */
      to?: "identified" | "analysed" | "mitigation_planned" | "in_progress" | "mitigated" | "monitoring" | "accepted" | "closed";
      comment?: string;
      /** @description The reason; required to accept a risk. */
      rationale?: string;
      /** @description The day on which an acceptance ends, after today (UTC); only for an acceptance. */
      expires_on?: string;
    };
    /** @description Of create and update. */
    RiskBulkOperationRisk: {
      title?: string;
      /** @enum {string} */
      category?: "security" | "compliance" | "operational" | "technology" | "financial" | "reputational" | "strategic";
      /** @description Markdown. */
      description?: string | null;
      /**
      * @description Before anything is done about it.
      * @enum {string|null}
      */
      initial_probability?: "very_high" | "high" | "medium" | "low" | null;
      /** @enum {string|null} */
      initial_impact?: "critical" | "high" | "medium" | "low" | null;
      /**
      * @description Probability after mitigation.
      * @enum {string|null}
      */
      residual_probability?: "very_high" | "high" | "medium" | "low" | null;
      /** @enum {string|null} */
      residual_impact?: "critical" | "high" | "medium" | "low" | null;
      owner_id?: string | null;
      target_date?: string | null;
      /**
      * @description The cards concerned, each once.
      * @default []
      */
      cards?: components["schemas"]["RiskCardCreate"][];
    };
    RiskBulkResult: {
      change_id: string;
      /** @description How many operations have which outcome. */
      summary: {
        [key: string]: number;
      };
      results: components["schemas"]["RiskBulkRow"][];
    };
    RiskBulkRow: {
      index: number;
      ref?: string;
      id?: string;
      reference?: string;
      version?: number;
      /** @enum {string} */
      outcome: "created" | "updated" | "unchanged" | "transitioned" | "deleted" | "failed";
      /** @description The error code of a corresponding single request. */
      code?: string;
      errors?: components["schemas"]["FieldError"][];
    };
    RiskCard: {
      card_id: string;
      /**
      * @description affected: the risk would harm it; contributing: it is a cause; control_owner: it keeps the risk down.
      * @enum {string}
      */
      role: "affected" | "contributing" | "control_owner";
      card: components["schemas"]["DiagramCardRef"];
      risk_id: string;
      /** @description Version of the risk, of which the link is a part. */
      version: number;
    };
    RiskCardCreate: {
      card_id: string;
      /**
      * @description affected: the risk would harm it; contributing: it is a cause; control_owner: it keeps the risk down.
      * @enum {string}
      */
      role: "affected" | "contributing" | "control_owner";
    };
    RiskCardPage: {
      items: components["schemas"]["RiskCard"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    RiskCardReplacement: {
      /**
      * @description affected: the risk would harm it; contributing: it is a cause; control_owner: it keeps the risk down.
      * @enum {string}
      */
      role: "affected" | "contributing" | "control_owner";
    };
    RiskCardValue: {
      card_id: string;
      /**
      * @description affected: the risk would harm it; contributing: it is a cause; control_owner: it keeps the risk down.
      * @enum {string}
      */
      role: "affected" | "contributing" | "control_owner";
      card: components["schemas"]["DiagramCardRef"];
    };
    RiskCount: {
      count: number;
      /** @description The list of the counted risks. */
      href: string;
    };
    RiskCreate: {
      title: string;
      /** @enum {string} */
      category: "security" | "compliance" | "operational" | "technology" | "financial" | "reputational" | "strategic";
      /** @description Markdown. */
      description?: string | null;
      /**
      * @description Before anything is done about it.
      * @enum {string|null}
      */
      initial_probability?: "very_high" | "high" | "medium" | "low" | null;
      /** @enum {string|null} */
      initial_impact?: "critical" | "high" | "medium" | "low" | null;
      /**
      * @description Probability after mitigation.
      * @enum {string|null}
      */
      residual_probability?: "very_high" | "high" | "medium" | "low" | null;
      /** @enum {string|null} */
      residual_impact?: "critical" | "high" | "medium" | "low" | null;
      owner_id?: string | null;
      target_date?: string | null;
      /**
      * @description The cards concerned, each once.
      * @default []
      */
      cards?: components["schemas"]["RiskCardCreate"][];
    };
    RiskFile: {
      id: string;
      name: string;
      /** @description Media type. */
      type: string;
      /** @description Bytes. */
      size: number;
      /** @description Hexadecimal. */
      sha256: string;
      created_by: string | null;
      created_at: string;
    };
    RiskFilePage: {
      items: components["schemas"]["RiskFile"][];
    };
    RiskFilesCreate: {
      /** @description Up to 10485760 bytes together. */
      files: string[];
    };
    RiskHistoryEntry: {
      /** @description The version the change led to; of a deletion, the last one. */
      version: number | null;
      at: string;
      /** @description Type of the event of the change. */
      type: string;
      actor: components["schemas"]["PpmHistoryActor"] | null;
      origin: string;
      /** @description Groups all changes of one request or job. */
      change_id: string | null;
      request_id: string | null;
      changes: components["schemas"]["BpmAssessmentHistoryChange"][];
      comment: string | null;
      /** @description The reason; required to accept a risk. */
      rationale: string | null;
      /** @description The day on which an acceptance ends, after today (UTC); only for an acceptance. */
      expires_on: string | null;
    };
    RiskHistoryPage: {
      items: components["schemas"]["RiskHistoryEntry"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    RiskMatrix: {
      /** @enum {string} */
      kind: "initial" | "residual";
      total: components["schemas"]["RiskCount"];
      not_judged: components["schemas"]["RiskCount"];
      probabilities: components["schemas"]["RiskMatrixProbability"][];
      impacts: components["schemas"]["RiskMatrixImpact"][];
      levels: components["schemas"]["RiskMatrixLevel"][];
      /** @description Highest probability first; in a row the highest impact first. */
      rows: components["schemas"]["RiskMatrixRow"][];
    };
    RiskMatrixImpact: {
      /** @enum {string} */
      key: "critical" | "high" | "medium" | "low";
      label: string;
      definition: string;
    };
    RiskMatrixLevel: {
      /** @enum {string} */
      key: "critical" | "high" | "medium" | "low";
      label: string;
      color: string;
      count: number;
    };
    RiskMatrixProbability: {
      /** @enum {string} */
      key: "very_high" | "high" | "medium" | "low";
      label: string;
      definition: string;
    };
    RiskMatrixRow: {
      /** @enum {string} */
      probability: "very_high" | "high" | "medium" | "low";
      cells: components["schemas"]["RiskMatrixRowCell"][];
    };
    RiskMatrixRowCell: {
      /** @enum {string} */
      impact: "critical" | "high" | "medium" | "low";
      /** @enum {string} */
      level: "critical" | "high" | "medium" | "low";
      count: number;
      /** @description The list of the counted risks. */
      href: string;
      /** @description The first eight. */
      risks: components["schemas"]["RiskMatrixRowCellRisk"][];
    };
    RiskMatrixRowCellRisk: {
      id: string;
      reference: string;
      title: string;
    };
    RiskMetrics: {
      total: components["schemas"]["RiskCount"];
      open: components["schemas"]["RiskCount"];
      overdue: components["schemas"]["RiskCount"];
      by_status: components["schemas"]["RiskMetricsByStatus"][];
      by_level: components["schemas"]["RiskMetricsByLevel"][];
      by_category: components["schemas"]["RiskMetricsByCategory"][];
      /** @description Owners with the most risks first, 100 at most. */
      by_owner: components["schemas"]["RiskMetricsByOwner"][];
      /** @description How many users own risks. */
      owners: number;
      /** @description Entered and closed by month (UTC); a reopened risk is not counted as closed. */
      trend: components["schemas"]["RiskMetricsTrend"][];
    };
    RiskMetricsByCategory: {
      /** @enum {string} */
      key: "security" | "compliance" | "operational" | "technology" | "financial" | "reputational" | "strategic";
      count: number;
      /** @description The list of the counted risks. */
      href: string;
    };
    RiskMetricsByLevel: {
      /**
      * @description null for those not judged.
      * @enum {string|null}
      */
      key: "critical" | "high" | "medium" | "low" | null;
      label: string | null;
      count: number;
      /** @description The list of the counted risks. */
      href: string;
    };
    RiskMetricsByOwner: {
      owner: components["schemas"]["UserDirectoryEntry"] | null;
      count: number;
      /** @description The list of the counted risks. */
      href: string;
    };
    RiskMetricsByStatus: {
      /** @enum {string} */
      key: "identified" | "analysed" | "mitigation_planned" | "in_progress" | "mitigated" | "monitoring" | "accepted" | "closed";
      count: number;
      /** @description The list of the counted risks. */
      href: string;
    };
    RiskMetricsTrend: {
      month: string;
      opened: components["schemas"]["RiskCount"];
      closed: components["schemas"]["RiskCount"];
    };
    RiskMitigation: {
      id: string;
      risk_id: string;
      title: string;
      /** @description Markdown. */
      description: string | null;
      owner_id: string | null;
      due_date: string | null;
      /**
      * @default none
      * @enum {string}
      */
      recurrence: "none" | "weekly" | "monthly" | "quarterly" | "yearly";
      /**
      * @description Every so many weeks, months, quarters or years.
      * @default 1
      */
      recurrence_interval: number;
      /** @description The last day of a series. */
      ends_on: string | null;
      /**
      * @description Done and cancelled ones have no open occurrence; they can be taken up again.
      * @default planned
      * @enum {string}
      */
      status: "planned" | "in_progress" | "done" | "cancelled";
      /** @description The date the series is counted from: what falls on the 31st falls on the last day of shorter months. */
      series_start: string | null;
      owner: components["schemas"]["PpmAssignee"] | null;
      open_occurrence: components["schemas"]["RiskMitigationOpenOccurrence"] | null;
      /** @description The due date of the open occurrence has passed (UTC). */
      is_overdue: boolean;
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    RiskMitigationCreate: {
      title: string;
      /** @description Markdown. */
      description?: string | null;
      owner_id?: string | null;
      due_date?: string | null;
      /**
      * @default none
      * @enum {string}
      */
      recurrence?: "none" | "weekly" | "monthly" | "quarterly" | "yearly";
      /**
      * @description Every so many weeks, months, quarters or years.
      * @default 1
      */
      recurrence_interval?: number;
      /** @description The last day of a series. */
      ends_on?: string | null;
      /**
      * @description Done and cancelled ones have no open occurrence; they can be taken up again.
      * @default planned
      * @enum {string}
      */
      status?: "planned" | "in_progress" | "done" | "cancelled";
    };
    RiskMitigationHistoryChange: {
      field: string;
      old: unknown;
      new: unknown;
    };
    RiskMitigationHistoryEntry: {
      /** @description The version the change led to; of a deletion, the last one. */
      version: number | null;
      at: string;
      /** @description Type of the event of the change. */
      type: string;
      actor: components["schemas"]["PpmHistoryActor"] | null;
      origin: string;
      /** @description Groups all that one request or job changed. */
      change_id: string | null;
      request_id: string | null;
      comment: string | null;
      rationale: string | null;
      changes: components["schemas"]["RiskMitigationHistoryChange"][];
    };
    RiskMitigationHistoryPage: {
      items: components["schemas"]["RiskMitigationHistoryEntry"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    RiskMitigationOpenOccurrence: {
      id: string;
      number: number;
      due_date: string | null;
    };
    RiskMitigationPage: {
      items: components["schemas"]["RiskMitigation"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    RiskMitigationPatch: {
      title?: string;
      /** @description Markdown. */
      description?: string | null;
      owner_id?: string | null;
      due_date?: string | null;
      /**
      * @default none
      * @enum {string}
      */
      recurrence?: "none" | "weekly" | "monthly" | "quarterly" | "yearly";
      /**
      * @description Every so many weeks, months, quarters or years.
      * @default 1
      */
      recurrence_interval?: number;
      /** @description The last day of a series. */
      ends_on?: string | null;
      /**
      * @description Done and cancelled ones have no open occurrence; they can be taken up again.
      * @default planned
      * @enum {string}
      */
      status?: "planned" | "in_progress" | "done" | "cancelled";
    };
    RiskMitigations: {
      total: number;
      open: number;
      overdue: number;
    };
    RiskOccurrence: {
      id: string;
      mitigation_id: string;
      number: number;
      due_date: string | null;
      /** @enum {string} */
      status: "open" | "done" | "skipped" | "cancelled";
      comment: string | null;
      ended_by: string | null;
      ended_at: string | null;
      created_at: string;
    };
    RiskOccurrencePage: {
      items: components["schemas"]["RiskOccurrence"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    RiskPage: {
      items: components["schemas"]["Risk"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    RiskPatch: {
      title?: string;
      /** @enum {string} */
      category?: "security" | "compliance" | "operational" | "technology" | "financial" | "reputational" | "strategic";
      /** @description Markdown. */
      description?: string | null;
      /**
      * @description Before anything is done about it.
      * @enum {string|null}
      */
      initial_probability?: "very_high" | "high" | "medium" | "low" | null;
      /** @enum {string|null} */
      initial_impact?: "critical" | "high" | "medium" | "low" | null;
      /**
      * @description Probability after mitigation.
      * @enum {string|null}
      */
      residual_probability?: "very_high" | "high" | "medium" | "low" | null;
      /** @enum {string|null} */
      residual_impact?: "critical" | "high" | "medium" | "low" | null;
      owner_id?: string | null;
      target_date?: string | null;
      /**
      * @description The cards concerned, each once.
      * @default []
      */
      cards?: components["schemas"]["RiskCardCreate"][];
    };
    RiskPropagation: {
      risk_id: string;
      /** @description Cards of the risk it spreads from: affected and contributing ones. */
      origins: components["schemas"]["RiskPropagationOrigin"][];
      /** @description The cards reached, nearest first, without those of the risk itself. */
      cards: components["schemas"]["RiskPropagationCard"][];
      /** @description Every relation followed. */
      relations: components["schemas"]["CardImpactEdge"][];
      /** @description The result is incomplete because of its limits. */
      truncated: boolean;
    };
    RiskPropagationCard: {
      id: string;
      type: string;
      name: string;
      depth: number;
      /** @description The card of the risk that is nearest. */
      origin_id: string;
      /** @description Ids of the relations from there on. */
      path: string[];
      /** @description Ids of the cards between, from there on. */
      via: string[];
    };
    RiskPropagationOrigin: {
      id: string;
      type: string;
      name: string;
      /** @enum {string} */
      role: "affected" | "contributing" | "control_owner";
      status: string;
    };
    Role: {
      key: string;
      label: string;
      description: string | null;
      color: string | null;
      /** @description Permissions of the catalogue; `*` for the administrator. */
      permissions: string[];
      /** @description Rules by card type, which override the permissions for cards of that type: `false` denies a permission, `true` grants it. */
      types: {
        [key: string]: {
          [key: string]: boolean;
        };
      };
      /** @description Predefined. */
      is_system: boolean;
      /** @description Assigned to users without an explicit role. */
      is_default: boolean;
      /** @description Cannot be assigned. */
      is_archived: boolean;
      created_at: string;
      updated_at: string;
      version: number;
    };
    RoleCreate: {
      /** @description Cannot be changed later. */
      key: string;
      label: string;
      description?: string | null;
      color?: string | null;
      /** @description A list of all permissions of the role; or a map that adds those with `true` and removes those with `false` or `null`. */
      permissions?: string[] | Record<string, unknown>;
      /** @description Rules by card type, which override the permissions for cards of that type: `false` denies a permission, `true` grants it. Only for permissions that are `per_type`; at most 2,000 in all. */
      types?: {
        [key: string]: {
          [key: string]: boolean | null;
        } | null;
      } | null;
    };
    RolePage: {
      items: components["schemas"]["Role"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    RolePatch: {
      label?: string;
      description?: string | null;
      color?: string | null;
      /** @description A list of all permissions of the role; or a map that adds those with `true` and removes those with `false` or `null`. */
      permissions?: string[] | Record<string, unknown>;
      /** @description Rules by card type, which override the permissions for cards of that type: `false` denies a permission, `true` grants it. Merged into the current rules; `null` removes a rule, or all rules of a type. */
      types?: {
        [key: string]: {
          [key: string]: boolean | null;
        } | null;
      } | null;
      /** @description `true` makes this role the default instead of the current one. */
      is_default?: boolean;
    };
    SavedReport: {
      id: string;
      name: string;
      description: string | null;
      /** @description The id of a report of the catalogue. */
      report: string;
      /**
      * @description The query of the report, without `format`, `width` and `theme`. Instead of a card hidden from the reader it has `00000000-0000-0000-0000-000000000000`, with which the result is computed, too; who sends that back keeps the card.
      * @default {}
      */
      parameters: {
        [key: string]: string | number | boolean | null;
      };
      /**
      * @description private: only the owner sees it; shared: also those in `shared_with`; public: everyone who sees reports; requires `reports.share`.
      * @default private
      * @enum {string}
      */
      visibility: "private" | "shared" | "public";
      shared_with: components["schemas"]["SavedReportSharedWith"];
      owner: components["schemas"]["SavedReportOwner"] | null;
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    SavedReportCreate: {
      name: string;
      description?: string | null;
      /** @description The id of a report of the catalogue. */
      report: string;
      /**
      * @description The query of the report, without `format`, `width` and `theme`. Instead of a card hidden from the reader it has `00000000-0000-0000-0000-000000000000`, with which the result is computed, too; who sends that back keeps the card.
      * @default {}
      */
      parameters?: {
        [key: string]: string | number | boolean | null;
      };
      /**
      * @description private: only the owner sees it; shared: also those in `shared_with`; public: everyone who sees reports; requires `reports.share`.
      * @default private
      * @enum {string}
      */
      visibility?: "private" | "shared" | "public";
      shared_with?: components["schemas"]["SavedReportSharedWith"];
    };
    /** @description The user who created it; null if the account was deleted. */
    SavedReportOwner: {
      id: string;
      display_name: string;
    };
    SavedReportPage: {
      items: components["schemas"]["SavedReport"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    SavedReportPatch: {
      name?: string;
      description?: string | null;
      /** @description The id of a report of the catalogue. */
      report?: string;
      /** @description The query of the report, without `format`, `width` and `theme`. Instead of a card hidden from the reader it has `00000000-0000-0000-0000-000000000000`, with which the result is computed, too; who sends that back keeps the card. */
      parameters?: {
        [key: string]: string | number | boolean | null;
      };
      /**
      * @description private: only the owner sees it; shared: also those in `shared_with`; public: everyone who sees reports; requires `reports.share`.
      * @default private
      * @enum {string}
      */
      visibility?: "private" | "shared" | "public";
      shared_with?: components["schemas"]["SavedReportSharedWithInput"];
    };
    /** @description Who sees it besides the owner, if its visibility is shared. By default `{"users":[],"roles":[]}`. */
    SavedReportSharedWith: {
      users: string[];
      roles: string[];
    };
    /** @description Who sees it besides the owner, if its visibility is shared. */
    SavedReportSharedWithInput: {
      users?: string[];
      roles?: string[];
    };
    Schedule: {
      /** @description The name of the recurring job; those of a module begin with its id. */
      job: string;
      /** @description The type of the jobs that it queues. */
      type: string;
      /** @description Five or six fields, in UTC; with six, the first is seconds. */
      expression: string;
      /** @description The latest scheduled time for which a job was queued; runs on request do not count. */
      last_run_at: string | null;
      next_run_at: string | null;
      /** @description Its job that is queued or running. */
      job_id: string | null;
    };
    SchedulePage: {
      items: components["schemas"]["Schedule"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    Session: {
      id: string;
      created_at: string;
      last_used_at: string;
      expires_at: string;
      address: string | null;
      /** @description User-Agent of the last log-in or refresh. */
      agent: string | null;
      /** @description Whether it is the session of this request. */
      current: boolean;
    };
    SessionPage: {
      items: components["schemas"]["Session"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    Settings: {
      /** @description Name of the workspace. */
      app_title: string;
      /** @description ISO 4217 code. */
      currency: string;
      /**
      * @description How dates are displayed; the API itself always uses RFC 3339.
      * @enum {string}
      */
      date_format: "YYYY-MM-DD" | "DD.MM.YYYY" | "DD/MM/YYYY" | "MM/DD/YYYY";
      /** @description Month the fiscal year begins in. */
      fiscal_year_start: number;
      /** @description BCP 47 tags; the first is the default. */
      locales: string[];
      registration: components["schemas"]["SettingsRegistration"];
      version: number;
      /** @description Days until an archived card is deleted; 0 keeps it indefinitely. */
      archive_retention_days?: number;
      /** @description Minimum number of days for which events are kept; 0 keeps them indefinitely. Events are deleted in whole partitions, of which a new one starts each month. */
      event_retention_days?: number;
      /** @description Whether changes must carry If-Match. */
      require_if_match?: boolean;
      /** @description Days after its log-in when a session ends, regardless of refreshes. Existing sessions keep their end time. */
      session_days?: number;
      login_limits?: components["schemas"]["SettingsLoginLimits"];
      rate_limits?: components["schemas"]["SettingsRateLimits"];
      card_limits?: components["schemas"]["SettingsCardLimits"];
      write_limits?: components["schemas"]["SettingsWriteLimits"];
      api_tokens?: components["schemas"]["SettingsApiTokens"];
    };
    /** @description Limits of API tokens. */
    SettingsApiTokens: {
      /** @description Days after which an API token expires at the latest. Existing tokens keep their end time. */
      max_days: number;
    };
    SettingsApiTokensInput: {
      /** @description Days after which an API token expires at the latest. Existing tokens keep their end time. */
      max_days?: number;
    };
    /** @description Maximum numbers of items per card. One user may have a fifth of the comments, documents and to-dos of a card; those who hold `settings.manage` as many as a card may have. */
    SettingsCardLimits: {
      /** @description Comments per card, at most. */
      comments: number;
      /** @description Documents per card, at most. */
      documents: number;
      /** @description To-dos per card, at most. */
      todos: number;
      /** @description Stakeholders per card, at most. */
      stakeholders: number;
      /** @description Tags per card, at most. */
      tags: number;
    };
    SettingsCardLimitsInput: {
      /** @description Comments per card, at most. */
      comments?: number;
      /** @description Documents per card, at most. */
      documents?: number;
      /** @description To-dos per card, at most. */
      todos?: number;
      /** @description Stakeholders per card, at most. */
      stakeholders?: number;
      /** @description Tags per card, at most. */
      tags?: number;
    };
    /** @description When further attempts to log in to an account are refused. */
    SettingsLoginLimits: {
      /** @description Number of wrong passwords for an account from one client address after which attempts from there are refused. */
      max_misses: number;
      /** @description Number of wrong passwords for an account from all addresses without a log-in to it in 30 days after which attempts from such addresses are refused. */
      max_misses_unknown_addresses: number;
      /** @description Minutes within which they are counted together (sliding window). */
      window_minutes: number;
      /** @description Minutes for which attempts are refused. */
      lock_minutes: number;
    };
    SettingsLoginLimitsInput: {
      /** @description Number of wrong passwords for an account from one client address after which attempts from there are refused. */
      max_misses?: number;
      /** @description Number of wrong passwords for an account from all addresses without a log-in to it in 30 days after which attempts from such addresses are refused. */
      max_misses_unknown_addresses?: number;
      /** @description Minutes within which they are counted together (sliding window). */
      window_minutes?: number;
      /** @description Minutes for which attempts are refused. */
      lock_minutes?: number;
    };
    SettingsPatch: {
      /** @description Name of the workspace. */
      app_title?: string;
      /** @description ISO 4217 code. */
      currency?: string;
      /**
      * @description How dates are displayed; the API itself always uses RFC 3339.
      * @enum {string}
      */
      date_format?: "YYYY-MM-DD" | "DD.MM.YYYY" | "DD/MM/YYYY" | "MM/DD/YYYY";
      /** @description Month the fiscal year begins in. */
      fiscal_year_start?: number;
      /** @description BCP 47 tags; the first is the default. */
      locales?: string[];
      /** @description Days until an archived card is deleted; 0 keeps it indefinitely. */
      archive_retention_days?: number;
      /** @description Minimum number of days for which events are kept; 0 keeps them indefinitely. Events are deleted in whole partitions, of which a new one starts each month. */
      event_retention_days?: number;
      /** @description Whether changes must carry If-Match. */
      require_if_match?: boolean;
      /** @description Days after its log-in when a session ends, regardless of refreshes. Existing sessions keep their end time. */
      session_days?: number;
      registration?: components["schemas"]["SettingsRegistrationInput"];
      login_limits?: components["schemas"]["SettingsLoginLimitsInput"];
      rate_limits?: components["schemas"]["SettingsRateLimitsInput"];
      card_limits?: components["schemas"]["SettingsCardLimitsInput"];
      write_limits?: components["schemas"]["SettingsWriteLimitsInput"];
      api_tokens?: components["schemas"]["SettingsApiTokensInput"];
    };
    /** @description Rate limits of routes of `/auth`. */
    SettingsRateLimits: {
      /** @description Log-ins per minute and client address. */
      login: number;
      /** @description Registrations per minute and client address. */
      register: number;
      /** @description Refreshes of a session per minute and client address. */
      refresh: number;
      /** @description Changes of the caller’s own password per minute and user. */
      change_password: number;
      /** @description Requests for a new password per minute and client address. */
      forgot_password: number;
      /** @description New passwords by a link per minute and client address. */
      reset_password: number;
      /** @description Acceptances of invitations per minute and client address. */
      accept_invitation: number;
      /** @description Requests for a change of the caller’s own e-mail address per minute and user. */
      email_change: number;
      /** @description Confirmations by links of such changes, and withdrawals by links, per minute and client address. */
      email_change_links: number;
      /** @description Each step of a sign-in by single sign-on per minute and client address. */
      sso: number;
    };
    SettingsRateLimitsInput: {
      /** @description Log-ins per minute and client address. */
      login?: number;
      /** @description Registrations per minute and client address. */
      register?: number;
      /** @description Refreshes of a session per minute and client address. */
      refresh?: number;
      /** @description Changes of the caller’s own password per minute and user. */
      change_password?: number;
      /** @description Requests for a new password per minute and client address. */
      forgot_password?: number;
      /** @description New passwords by a link per minute and client address. */
      reset_password?: number;
      /** @description Acceptances of invitations per minute and client address. */
      accept_invitation?: number;
      /** @description Requests for a change of the caller’s own e-mail address per minute and user. */
      email_change?: number;
      /** @description Confirmations by links of such changes, and withdrawals by links, per minute and client address. */
      email_change_links?: number;
      /** @description Each step of a sign-in by single sign-on per minute and client address. */
      sso?: number;
    };
    SettingsRegistration: {
      /** @description Whether everyone may register an account. */
      enabled: boolean;
    };
    SettingsRegistrationInput: {
      /** @description Whether everyone may register an account. */
      enabled?: boolean;
    };
    /** @description Write limits per user. */
    SettingsWriteLimits: {
      /** @description Writes per minute and user, on all nodes together; a bulk call counts each of its operations, and events beyond 16 KiB for each operation count as further writes. `null`: no limit. */
      per_minute: number | null;
    };
    SettingsWriteLimitsInput: {
      /** @description Writes per minute and user, on all nodes together; a bulk call counts each of its operations, and events beyond 16 KiB for each operation count as further writes. `null`: no limit. */
      per_minute?: number | null;
    };
    SignAdrBody: {
      /** @description A comment stored with the signature. */
      comment?: string;
    };
    SmtpSettings: {
      /** @description Name or address of the mail server; without one (`null`) no mail is sent. */
      host: string | null;
      /** @description Usually 587 with `starttls`, 465 with `tls`, 25 with `none`. */
      port: number;
      /**
      * @description `starttls`: the connection must switch to TLS with the first command; `tls`: TLS from the first byte; `none`: unencrypted, including the password.
      * @enum {string}
      */
      security: "starttls" | "tls" | "none";
      /** @description `null` if the server requires none. */
      user: string | null;
      /** @description Sender of every mail. */
      from_address: string | null;
      /** @description Name of the sender; default: the name of the workspace. */
      from_name: string | null;
      password: components["schemas"]["StoredSecret"];
      version: number;
    };
    SmtpSettingsPatch: {
      /** @description Name or address of the mail server; without one (`null`) no mail is sent. */
      host?: string | null;
      /** @description Usually 587 with `starttls`, 465 with `tls`, 25 with `none`. */
      port?: number;
      /**
      * @description `starttls`: the connection must switch to TLS with the first command; `tls`: TLS from the first byte; `none`: unencrypted, including the password.
      * @enum {string}
      */
      security?: "starttls" | "tls" | "none";
      /** @description `null` if the server requires none. */
      user?: string | null;
      /** @description Sender of every mail. */
      from_address?: string | null;
      /** @description Name of the sender; default: the name of the workspace. */
      from_name?: string | null;
      /** @description Stored encrypted, and never shown again; `null` removes it. */
      password?: string | null;
    };
    Soaw: {
      id: string;
      title: string;
      /** @description The template of the workspace with whose sections it begins; null: the one of TOGAF. */
      template_id: string | null;
      /**
      * @description In their order, each key once. Default, also for an empty list: those of the template.
      * @default []
      */
      sections: components["schemas"]["SoawSection"][];
      /** @description The links with cards visible to the caller. */
      cards: components["schemas"]["SoawCard"][];
      /** @description Without gaps; all revisions of a document have the same one. */
      number: string;
      /**
      * @description draft → in_review → signed → superseded; only a draft can be changed or deleted.
      * @enum {string}
      */
      status: "draft" | "in_review" | "signed" | "superseded";
      /** @description Counts the documents of one number. */
      revision: number;
      /** @description The signed document this one revises. */
      revision_of: string | null;
      /** @description SHA-256 over the content, frozen when signatures were requested; null for a draft. */
      content_hash: string | null;
      signed_at: string | null;
      /** @description In the order they were named; none for a draft. */
      signatories: components["schemas"]["AdrSignatory"][];
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    SoawBuiltInTemplate: {
      key: string;
      name: string;
      description: string;
      sections: components["schemas"]["SoawSection"][];
    };
    SoawCard: {
      card_id: string;
      /**
      * @description initiative: the project that does the work; in_scope: it is worked on; affected: it changes with it.
      * @enum {string}
      */
      role: "initiative" | "in_scope" | "affected";
      card: components["schemas"]["DiagramCardRef"];
    };
    SoawCardInput: {
      card_id: string;
      /**
      * @description initiative: the project that does the work; in_scope: it is worked on; affected: it changes with it.
      * @enum {string}
      */
      role: "initiative" | "in_scope" | "affected";
    };
    SoawComment: {
      id: string;
      document_id: string;
      /** @description A key of a section; null: about the whole document. */
      section: string | null;
      /** @description Markdown. */
      text: string;
      /** @default false */
      resolved: boolean;
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    SoawCommentCreate: {
      /** @description A key of a section; null: about the whole document. */
      section?: string | null;
      /** @description Markdown. */
      text: string;
      /** @default false */
      resolved?: boolean;
    };
    SoawCommentPage: {
      items: components["schemas"]["SoawComment"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    SoawCommentPatch: {
      /** @description Markdown. */
      text?: string;
      /** @default false */
      resolved?: boolean;
    };
    SoawCreate: {
      title: string;
      /** @description The template of the workspace with whose sections it begins; null: the one of TOGAF. */
      template_id?: string | null;
      /**
      * @description In their order, each key once. Default, also for an empty list: those of the template.
      * @default []
      */
      sections?: components["schemas"]["SoawSection"][];
      /**
      * @description The cards concerned, each once.
      * @default []
      */
      cards?: components["schemas"]["SoawCardInput"][];
    };
    SoawDiff: {
      before: components["schemas"]["SoawDiffBefore"];
      after: components["schemas"]["SoawDiffBefore"];
      title: components["schemas"]["SoawDiffTitle"] | null;
      /** @description Sections that are different. */
      sections: components["schemas"]["SoawDiffSection"][];
      /** @description Live tables that are different; null unless both revisions have frozen ones. */
      tables: components["schemas"]["SoawDiffTable"][] | null;
    };
    SoawDiffBefore: {
      id: string;
      revision: number;
      /**
      * @description draft → in_review → signed → superseded; only a draft can be changed or deleted.
      * @enum {string}
      */
      status: "draft" | "in_review" | "signed" | "superseded";
      content_hash: string | null;
    };
    SoawDiffSection: {
      key: string;
      /** @enum {string} */
      change: "added" | "removed" | "changed" | "moved";
      title: components["schemas"]["SoawDiffSectionTitle"];
      /** @description Of the text: the changed lines with three equal ones around them. */
      lines: components["schemas"]["SoawDiffSectionLine"][];
      entries: components["schemas"]["SoawDiffSectionEntries"];
      tables: components["schemas"]["SoawDiffSectionTables"];
    };
    SoawDiffSectionEntries: {
      added: {
        [key: string]: unknown;
      }[];
      removed: {
        [key: string]: unknown;
      }[];
    };
    SoawDiffSectionLine: {
      /** @enum {string} */
      op: "equal" | "removed" | "added";
      lines: string[];
    };
    SoawDiffSectionTables: {
      added: string[];
      removed: string[];
      changed: string[];
    };
    SoawDiffSectionTitle: {
      before: string | null;
      after: string | null;
    };
    SoawDiffTable: {
      id: string;
      title: string;
      /** @enum {string} */
      change: "added" | "removed" | "changed";
      columns: string[];
      rows: components["schemas"]["SoawDiffTableRows"];
      /** @description Whether a list is cut: at 500 rows, or at 5,000 rows of all tables. */
      truncated: boolean;
    };
    SoawDiffTableRows: {
      added: components["schemas"]["SoawDiffTableRowsAdded"][];
      removed: components["schemas"]["SoawDiffTableRowsAdded"][];
      changed: components["schemas"]["SoawDiffTableRowsChanged"][];
    };
    SoawDiffTableRowsAdded: {
      card_id: string;
      /** @description Tells rows about the same card apart. */
      key: string | null;
      cells: unknown[];
    };
    SoawDiffTableRowsChanged: {
      card_id: string;
      key: string | null;
      before: unknown[];
      after: unknown[];
    };
    SoawDiffTitle: {
      before: string;
      after: string;
    };
    SoawEntry: {
      /** @description Of a manager or stakeholder. */
      role?: string;
      /** @description Of a person or group without an account. */
      name?: string;
      /** @description An account. */
      user_id?: string;
      /** @description Of a manager or stakeholder. */
      responsibilities?: string;
      /** @description What is delivered. */
      deliverable?: string;
      /** @description Of a deliverable. */
      description?: string;
      /** @description Of a deliverable. */
      due_date?: string;
      /** @description What is accepted. */
      criterion?: string;
      /** @description How acceptance is measured. */
      measure?: string;
      /** @description A part of the plan. */
      work_item?: string;
      /** @description Of a part of the plan. */
      start_date?: string;
      /** @description Of a part of the plan, not before its start. */
      end_date?: string;
      /** @description Who does it. */
      owner?: string;
      /** @description Such as 20 person-days. */
      effort?: string;
      /** @description What may happen. */
      risk?: string;
      /** @description What is done about it. */
      mitigation?: string;
    };
    SoawPatch: {
      title?: string;
      /**
      * @description In their order, each key once. Default, also for an empty list: those of the template.
      * @default []
      */
      sections?: components["schemas"]["SoawSection"][];
      /**
      * @description The cards concerned, each once.
      * @default []
      */
      cards?: components["schemas"]["SoawCardInput"][];
    };
    SoawSection: {
      /** @description Unique in the document. */
      key: string;
      title: string;
      /** @description Markdown. */
      text?: string;
      /** @description Rows, in the sections of TOGAF that have some. */
      entries?: components["schemas"]["SoawEntry"][];
      /** @description Live tables. */
      tables?: components["schemas"]["SoawTableDefinition"][];
      /** @description What belongs into the section; not part of the files. */
      guidance?: string;
    };
    SoawSectionBody: {
      title: string;
      /** @description Markdown. */
      text?: string;
      /** @description Rows, in the sections of TOGAF that have some. */
      entries?: components["schemas"]["SoawEntry"][];
      /** @description Live tables. */
      tables?: components["schemas"]["SoawTableDefinition"][];
      /** @description What belongs into the section; not part of the files. */
      guidance?: string;
    };
    SoawTable: {
      id: string;
      /** @description Key of its section. */
      section: string;
      /** @enum {string} */
      kind: "cards" | "gaps" | "costs" | "risks" | "decisions" | "roadmap";
      title: string;
      columns: components["schemas"]["SoawTableColumn"][];
      rows: components["schemas"]["SoawDiffTableRowsAdded"][];
      footer: unknown[] | null;
      /**
      * @description Why it has no rows, or not all.
      * @enum {string|null}
      */
      note: "module_disabled" | "not_permitted" | "filter_refused" | "truncated" | null;
      /** @description Whether amounts are withheld. */
      withheld: boolean;
    };
    SoawTableColumn: {
      title: string;
      /** @enum {string} */
      align: "left" | "right";
    };
    SoawTableDefinition: {
      /** @description Unique in the document. */
      id: string;
      /**
      * @description cards: the cards of the filter; gaps: what they lack for the target; costs: their costs and the sums; risks and decisions: those that concern them; roadmap: the dates of their life cycles.
      * @enum {string}
      */
      kind: "cards" | "gaps" | "costs" | "risks" | "decisions" | "roadmap";
      title: string;
      /** @description Parameters of `GET /cards` that filter, except `data_quality`. */
      filter?: {
        [key: string]: string;
      };
      /** @description Of a table of cards: fields besides name and type, as `subtype`, `lifecycle_phase`, `approval_status` or `attributes.<key>`; of a table of costs: the cost fields. Default: subtype and lifecycle_phase; all cost fields. */
      columns?: string[];
      /** @description Of a table of gaps: the day for which the target is planned. Default: a year from the day on which it is computed. */
      target_date?: string;
      /** @description Rows. Default: 100. */
      limit?: number;
    };
    SoawTables: {
      /** @description Whether they are those that were signed, or that signatures are requested for. */
      frozen: boolean;
      computed_at: string;
      currency: string;
      /** @description Part of the hashed content, for callers who see all of it: the hash is the SHA-256 of its canonical JSON (RFC 8785). */
      nonce: string | null;
      tables: components["schemas"]["SoawTable"][];
    };
    SoawTemplate: {
      id: string;
      name: string;
      description: string | null;
      /** @description In their order, each key once. */
      sections: components["schemas"]["SoawSection"][];
      created_by: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    SoawTemplateCreate: {
      name: string;
      description?: string | null;
      /** @description In their order, each key once. */
      sections: components["schemas"]["SoawSection"][];
    };
    SoawTemplatePage: {
      items: components["schemas"]["SoawTemplate"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    SoawTemplatePatch: {
      name?: string;
      description?: string | null;
      /** @description In their order, each key once. */
      sections?: components["schemas"]["SoawSection"][];
    };
    SoawTemplateSummary: {
      /** @description Of a built-in template its key, otherwise its id. */
      key: string;
      /** @description The `template_id` of documents that begin with it; null for the built-in one, which needs none. */
      id: string | null;
      is_built_in: boolean;
      name: string;
      description: string | null;
      sections: components["schemas"]["SoawTemplateSummarySection"][];
    };
    SoawTemplateSummaryPage: {
      items: components["schemas"]["SoawTemplateSummary"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    SoawTemplateSummarySection: {
      key: string;
      title: string;
    };
    SsoConfig: {
      providers: components["schemas"]["SsoConfigProvider"][];
      /** @description Whether persons can sign in by these providers only. */
      enforced: boolean;
    };
    SsoConfigProvider: {
      id: string;
      /** @enum {string} */
      kind: "microsoft" | "google" | "okta" | "oidc";
      label: string;
    };
    SsoLogout: {
      /** @description Where the browser ends the session at the provider; null: nothing is to be ended there. */
      logout_url: string | null;
    };
    SsoSettings: {
      /** @description By id, which is part of the address of the sign-in. */
      providers: {
        [key: string]: components["schemas"]["SsoSettingsProvider"];
      };
      jit: components["schemas"]["SsoSettingsJit"];
      /** @description Whether passwords are refused for persons, except the break-glass administrator. Service accounts keep theirs, and sessions remain until they end. */
      enforced: boolean;
      /** @description The administrator who can always log in with a password; required for `enforced`. */
      break_glass_user_id: string | null;
      /** @description The redirect URI to register at every provider; null: PUBLIC_URL is not set. */
      callback_url: string | null;
      version: number;
    };
    /** @description Users created by their first sign-in, and their role; null: the default role. */
    SsoSettingsJit: {
      /** @description Whether a first sign-in creates an account; otherwise identities must be linked. */
      enabled: boolean;
      /** @description Key of a role. */
      role: string | null;
    };
    SsoSettingsJitInput: {
      /** @description Whether a first sign-in creates an account; otherwise identities must be linked. */
      enabled?: boolean;
      /** @description Key of a role. */
      role?: string | null;
    };
    SsoSettingsPatch: {
      /** @description By id: lower-case letters, digits and hyphens, beginning with a letter. A merge patch: other providers are unchanged, and null removes one. */
      providers?: {
        [key: string]: components["schemas"]["SsoSettingsProviderInput"] | null;
      };
      jit?: components["schemas"]["SsoSettingsJitInput"];
      /** @description Whether passwords are refused for persons, except the break-glass administrator. Service accounts keep theirs, and sessions remain until they end. */
      enforced?: boolean;
      /** @description The administrator who can always log in with a password; required for `enforced`. */
      break_glass_user_id?: string | null;
    };
    SsoSettingsProvider: {
      /**
      * @description `microsoft`: Microsoft Entra ID, with `tenant`. `okta` and `oidc`: any issuer that publishes its metadata (OpenID Connect Discovery), with `issuer`.
      * @enum {string}
      */
      kind: "microsoft" | "google" | "okta" | "oidc";
      /** @description On the login page. */
      label: string;
      is_enabled: boolean;
      /** @description Id of the tenant; required for microsoft. */
      tenant: string | null;
      /** @description Exactly as in the metadata of the provider; required for okta and oidc, determined for the others. An address that is not public must be in OUTBOUND_ALLOW. */
      issuer: string | null;
      /** @description Of this service at the provider. */
      client_id: string | null;
      /**
      * @description How the secret is sent; `auto`: in the form for microsoft and google, else as the provider announces.
      * @enum {string}
      */
      token_auth: "auto" | "client_secret_basic" | "client_secret_post";
      /** @description In addition to openid, profile and email; Okta needs `groups` to send groups. */
      scopes: string[];
      /** @description Domains of the e-mail addresses that may sign in, in lower case, without their subdomains; empty: any. Google accounts must also belong to an organisation with the domain. */
      allowed_domains: string[];
      /** @description The claim with the groups of a user. */
      groups_claim: string | null;
      /** @description At every sign-in, and when the map changes, a user gets the role of the first entry whose group is among the groups of the user, at the last sign-in. Empty: groups do not determine roles. */
      role_map: components["schemas"]["SsoSettingsProviderRoleMap"][];
      /**
      * @description What happens if `role_map` has entries, and none for the user: the role of new users, or no sign-in.
      * @enum {string}
      */
      unmapped: "jit_role" | "refuse";
      client_secret: components["schemas"]["StoredSecret"];
    };
    SsoSettingsProviderInput: {
      /**
      * @description `microsoft`: Microsoft Entra ID, with `tenant`. `okta` and `oidc`: any issuer that publishes its metadata (OpenID Connect Discovery), with `issuer`.
      * @enum {string}
      */
      kind?: "microsoft" | "google" | "okta" | "oidc";
      /** @description On the login page. */
      label?: string;
      is_enabled?: boolean;
      /** @description Id of the tenant; required for microsoft. */
      tenant?: string | null;
      /** @description Exactly as in the metadata of the provider; required for okta and oidc, determined for the others. An address that is not public must be in OUTBOUND_ALLOW. */
      issuer?: string | null;
      /** @description Of this service at the provider. */
      client_id?: string | null;
      /**
      * @description How the secret is sent; `auto`: in the form for microsoft and google, else as the provider announces.
      * @enum {string}
      */
      token_auth?: "auto" | "client_secret_basic" | "client_secret_post";
      /** @description In addition to openid, profile and email; Okta needs `groups` to send groups. */
      scopes?: string[];
      /** @description Domains of the e-mail addresses that may sign in, in lower case, without their subdomains; empty: any. Google accounts must also belong to an organisation with the domain. */
      allowed_domains?: string[];
      /** @description The claim with the groups of a user. */
      groups_claim?: string | null;
      /** @description At every sign-in, and when the map changes, a user gets the role of the first entry whose group is among the groups of the user, at the last sign-in. Empty: groups do not determine roles. */
      role_map?: components["schemas"]["SsoSettingsProviderRoleMap"][];
      /**
      * @description What happens if `role_map` has entries, and none for the user: the role of new users, or no sign-in.
      * @enum {string}
      */
      unmapped?: "jit_role" | "refuse";
      /** @description Stored encrypted, and never shown again; `null` removes it. */
      client_secret?: string | null;
    };
    SsoSettingsProviderRoleMap: {
      /** @description As in the claim: a name or an id. */
      group: string;
      /** @description Key of a role. */
      role: string;
    };
    StakeholderRole: {
      key: string;
      label: string;
      permissions: {
        [key: string]: boolean;
      };
      inherited: boolean;
      /** @description Version of the card type, which contains the role. */
      version: number;
    };
    StakeholderRoleCreate: {
      /** @description A letter, then letters, digits and underscores, at most 63. */
      key: string;
      label?: string;
      /** @description Card permissions that the role grants on its card: `{"card.edit": true}`, or a list of keys. */
      permissions?: Record<string, unknown> | string[];
      /** @description Whether its permissions also apply to every card below, of any type. */
      inherited?: boolean;
    };
    StakeholderRolePage: {
      items: components["schemas"]["StakeholderRole"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    /** @description JSON Merge Patch. */
    StakeholderRolePatch: {
      label?: string;
      /** @description Whether its permissions also apply to every card below, of any type. */
      inherited?: boolean;
      /** @description A map is merged, a list replaces the current ones. */
      permissions?: Record<string, unknown> | string[];
    };
    StakeholdersReport: {
      /** @description Cards of the types whose stakeholders the caller may see. */
      total: number;
      href: string | null;
      without: components["schemas"]["StakeholdersReportWithout"];
      by_type: components["schemas"]["StakeholdersReportByType"][];
      /** @description For each role of each type: cards on which it is held, and on which it is not (`vacant`). */
      by_role: components["schemas"]["StakeholdersReportByRole"][];
      /** @description Users with roles on most cards, 200 at most. */
      by_user: components["schemas"]["StakeholdersReportByUser"][];
      truncated: boolean;
    };
    StakeholdersReportByRole: {
      type: string;
      label: string;
      color?: string;
      /** @description Name of a Material Symbol, as in the metamodel. */
      icon?: string;
      role: string;
      role_label: string;
      count: number;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
      vacant: components["schemas"]["EndOfLifeReportPageByTypePast"];
    };
    StakeholdersReportByType: {
      type: string;
      label: string;
      color?: string;
      /** @description Name of a Material Symbol, as in the metamodel. */
      icon?: string;
      count: number;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
      without: components["schemas"]["EndOfLifeReportPageByTypePast"];
    };
    StakeholdersReportByUser: {
      user: components["schemas"]["UserDirectoryEntry"];
      count: number;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
      roles: components["schemas"]["StakeholdersReportByUserRole"][];
    };
    StakeholdersReportByUserRole: {
      role: string;
      count: number;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
    };
    /** @description Cards without any stakeholder. */
    StakeholdersReportWithout: {
      count: number;
      /** @description The list whose total is the figure; null where no list expresses it. */
      href: string | null;
    };
    /** @description Whether it is set. It can be written but not read. */
    StoredSecret: {
      is_set: boolean;
    };
    StreamTicket: {
      /** @description Opens one stream, as `?ticket=`. */
      ticket: string;
      /** @description Lifetime in seconds. */
      expires_in: number;
    };
    Tag: {
      id: string;
      name: string;
      color: string | null;
      description: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    TagCreate: {
      /** @description Surrounding blanks are removed; the comparison ignores case. */
      name: string;
      color?: string | null;
      description?: string | null;
    };
    TagGroup: {
      id: string;
      name: string;
      /**
      * @description Whether a card may have one tag of the group or several.
      * @enum {string}
      */
      mode: "single" | "multi";
      mandatory: boolean;
      restrict_to_types: string[];
      tags: components["schemas"]["Tag"][];
      created_at: string;
      updated_at: string;
      /** @description Version of the group; its tags have their own. */
      version: number;
    };
    TagGroupCreate: {
      /** @description Surrounding blanks are removed; the comparison ignores case. */
      name: string;
      /**
      * @description Whether a card may have one tag of the group or several.
      * @enum {string}
      */
      mode?: "single" | "multi";
      /** @description Required for approval, and part of data quality. */
      mandatory?: boolean;
      /** @description Card types for which it is allowed; empty for all. */
      restrict_to_types?: string[];
    };
    TagGroupPage: {
      items: components["schemas"]["TagGroup"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    /** @description JSON Merge Patch. */
    TagGroupPatch: {
      /** @description Surrounding blanks are removed; the comparison ignores case. */
      name?: string;
      /**
      * @description Whether a card may have one tag of the group or several.
      * @enum {string}
      */
      mode?: "single" | "multi";
      mandatory?: boolean;
      /** @description Card types for which it is allowed; empty for all. */
      restrict_to_types?: string[];
    };
    TagPage: {
      items: components["schemas"]["Tag"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    /** @description JSON Merge Patch. */
    TagPatch: {
      /** @description Surrounding blanks are removed; the comparison ignores case. */
      name?: string;
      color?: string | null;
      description?: string | null;
    };
    TestCmdbsyncConnectionResult: {
      tested_at: string;
      ok: boolean;
      detail: string;
    };
    TestSsoSettingsBody: {
      /** @description Id of a provider in the settings. */
      provider: string;
    };
    Token: {
      /** @description The claim `jti` of the token. */
      id: string;
      /** @description The user as whom it acts. */
      user_id: string;
      name: string;
      permissions: string[];
      address_ranges: string[];
      /** @description Who made it; null: the account was deleted. */
      created_by: string | null;
      created_at: string;
      expires_at: string;
      /** @description To the minute. */
      last_used_at: string | null;
    };
    TokenCreate: {
      /** @description Shown in events and histories. */
      name: string;
      /** @description What the token may do: keys of `GET /roles/permissions`, or `*` for all permissions of its user. Of these it has, at every request, those that its user has. A permission on cards, such as `card.edit`, applies on the cards on which a stakeholder role grants it; `cards.edit` includes `card.edit`. */
      permissions: string[];
      /** @description Default: after 90 days, or `api_tokens.max_days` of the settings if that is less. At most `max_days` from now. */
      expires_at?: string;
      /** @description Client addresses from which it may be used: addresses or CIDR ranges, IPv4 or IPv6. Empty or absent: any. */
      address_ranges?: string[];
    };
    TokenPage: {
      items: components["schemas"]["Token"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    UploadBpmVersionBody: {
      /** @description One BPMN file of up to 20 MiB. */
      file: string[];
    };
    User: {
      id: string;
      email: string;
      display_name: string;
      /** @description Key of a role. */
      role: string;
      /**
      * @description A service account logs in with a local password also where single sign-on is enforced.
      * @enum {string}
      */
      kind: "person" | "service";
      is_active: boolean;
      /** @enum {string} */
      auth_provider: "local" | "sso";
      locale: string | null;
      last_login_at: string | null;
      created_at: string;
      updated_at: string;
      version: number;
    };
    UserCreate: {
      /** @description Surrounding blanks are removed; the comparison ignores case. */
      email: string;
      display_name: string;
      /** @description Key of a role. */
      role?: string;
      /**
      * @description A service account logs in with a local password also where single sign-on is enforced.
      * @enum {string}
      */
      kind?: "person" | "service";
      /** @description BCP 47 tag. */
      locale?: string | null;
      /** @description At least 10 characters; very common passwords are not allowed. */
      password?: string;
    };
    UserDirectoryEntry: {
      id: string;
      display_name: string;
    };
    UserDirectoryPage: {
      items: components["schemas"]["UserDirectoryEntry"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    UserIdentity: {
      id: string;
      user_id: string;
      issuer: string;
      /** @description The claim `sub`. */
      subject: string;
      /** @description Id of the provider in the settings by which it was linked or last used. */
      provider: string;
      /** @description Who linked it; null: created by the first sign-in, or the account was deleted. */
      created_by: string | null;
      created_at: string;
      last_login_at: string | null;
    };
    UserIdentityPage: {
      items: components["schemas"]["UserIdentity"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    UserPage: {
      items: components["schemas"]["User"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    UserPatch: {
      /** @description Surrounding blanks are removed; the comparison ignores case. */
      email?: string;
      display_name?: string;
      /** @description Key of a role. */
      role?: string;
      is_active?: boolean;
      /** @description BCP 47 tag. */
      locale?: string | null;
      /** @description At least 10 characters; very common passwords are not allowed. */
      password?: string;
    };
    UserPermission: {
      permission: string;
      /**
      * @description `card`: on the cards where a stakeholder role is held.
      * @enum {string}
      */
      scope: "application" | "card";
      /** @description The card types for which it is held, of those visible to the caller; null: all. */
      card_types: string[] | null;
      stakeholder_role: string | null;
      /** @description Number of cards on which the stakeholder role is held. */
      cards: number | null;
      because: string;
    };
    UserPermissionPage: {
      items: components["schemas"]["UserPermission"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    Webhook: {
      id: string;
      name: string | null;
      url: string;
      /** @description Event types; one that ends in a dot is a prefix: `card.` matches every type of card events. Empty matches all. */
      types: string[];
      /** @description All conditions must be true for the event, as the owner may see it. */
      conditions: components["schemas"]["WebhookCondition"][];
      is_active: boolean;
      /**
      * @description Why the service disabled it: all attempts failed for days, the receiver responded with 410, or the owner is not an active user or may not manage webhooks. Null if a user disabled it.
      * @enum {string|null}
      */
      disabled_reason: "failing" | "gone" | "owner_inactive" | "owner_not_permitted" | null;
      owner: components["schemas"]["WebhookOwner"] | null;
      previous_secret_until: string | null;
      status: components["schemas"]["WebhookStatus"];
      created_at: string;
      updated_at: string;
      version: number;
      secret: components["schemas"]["WebhookSecret"];
    };
    WebhookCondition: {
      /** @description A member of the event: `type`, `origin`, `subject.kind`, `subject.id`, `subject.type`, `subject.name`, `actor.id`, `data.<path>`; with `changed`, a field as named in `data.changes`, or a prefix of several. */
      field: string;
      /**
      * @description A missing member counts as null. `contains`: the text contains the part, or the list the item. `changed`: the field was changed and, if `value` is given, now has that value.
      * @enum {string}
      */
      op: "eq" | "ne" | "in" | "contains" | "exists" | "changed";
      /** @description A list with `in`; with `exists`, whether it must exist (default `true`). */
      value?: string | number | boolean | null | (string | number | boolean | null)[];
    };
    WebhookCreate: {
      /** @description Where events are sent: http or https, without credentials. A private address must be in OUTBOUND_ALLOW; names are looked up at each delivery. */
      url: string;
      /** @description One line; surrounding blanks are removed. */
      name?: string | null;
      /** @description Event types; one that ends in a dot is a prefix: `card.` matches every type of card events. Empty matches all. */
      types?: string[];
      /** @description All conditions must be true for the event, as the owner may see it. */
      conditions?: components["schemas"]["WebhookCondition"][];
      is_active?: boolean;
    };
    WebhookDelivery: {
      id: string;
      webhook_id: string;
      /** @description Position of the event in the log; `webhook-id` is `evt_` and this. */
      event_id: number;
      event_type: string;
      /** @description Id of the subject of the event. Events of one subject are sent in order. */
      subject_id: string;
      /**
      * @description failed: all attempts failed; skipped: the owner may not see the event, or the filter no longer matches.
      * @enum {string}
      */
      state: "pending" | "delivered" | "failed" | "skipped";
      attempts: number;
      next_at: string | null;
      /** @description The delivery that was repeated. */
      redelivery_of: string | null;
      created_at: string;
      finished_at: string | null;
      last_attempt: components["schemas"]["WebhookDeliveryLastAttempt"] | null;
      /** @description The last attempts, the latest last. */
      log: components["schemas"]["WebhookDeliveryLog"][];
    };
    WebhookDeliveryItem: {
      id: string;
      webhook_id: string;
      /** @description Position of the event in the log; `webhook-id` is `evt_` and this. */
      event_id: number;
      event_type: string;
      /** @description Id of the subject of the event. Events of one subject are sent in order. */
      subject_id: string;
      /**
      * @description failed: all attempts failed; skipped: the owner may not see the event, or the filter no longer matches.
      * @enum {string}
      */
      state: "pending" | "delivered" | "failed" | "skipped";
      attempts: number;
      next_at: string | null;
      /** @description The delivery that was repeated. */
      redelivery_of: string | null;
      created_at: string;
      finished_at: string | null;
      last_attempt: components["schemas"]["WebhookDeliveryLastAttempt"] | null;
    };
    WebhookDeliveryLastAttempt: {
      at: string;
      /** @description HTTP status of the response; null if there was none. */
      status: number | null;
      /** @description Why it failed, or was not sent. */
      error: string | null;
      duration_ms: number;
    };
    WebhookDeliveryLog: {
      at: string;
      /** @description HTTP status of the response; null if there was none. */
      status: number | null;
      /** @description Why it failed, or was not sent. */
      error: string | null;
      duration_ms: number;
      /** @description The beginning of the receiver’s response. Shown only to the user whose permissions were used, and to no API token, because it may repeat the message. */
      response: string | null;
    };
    WebhookDeliveryPage: {
      items: components["schemas"]["WebhookDeliveryItem"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    /** @description The user whose permissions decide which events are sent and what they contain: the one who last changed the URL or the filter. */
    WebhookOwner: {
      id: string;
      display_name: string;
    };
    WebhookPage: {
      items: components["schemas"]["Webhook"][];
      /** @description Null with `total=none`. */
      total: number | null;
      /**
      * @description `eq`: the total is exact; `gte`: there are more; `none`: they were not counted.
      * @enum {string}
      */
      total_relation: "eq" | "gte" | "none";
      page: number;
      page_size: number;
      next_cursor: string | null;
    };
    WebhookPatch: {
      /** @description Where events are sent: http or https, without credentials. A private address must be in OUTBOUND_ALLOW; names are looked up at each delivery. */
      url?: string;
      /** @description One line; surrounding blanks are removed. */
      name?: string | null;
      /** @description Event types; one that ends in a dot is a prefix: `card.` matches every type of card events. Empty matches all. */
      types?: string[];
      /** @description All conditions must be true for the event, as the owner may see it. */
      conditions?: components["schemas"]["WebhookCondition"][];
      is_active?: boolean;
    };
    /** @description Whether there is one; it is not shown again. */
    WebhookSecret: {
      is_set: boolean;
    };
    WebhookStatus: {
      /** @description Number of pending deliveries; 10,000 means at least that many. */
      pending: number;
      failing_since: string | null;
      last_attempt_at: string | null;
      last_success_at: string | null;
      /** @description HTTP status of the last attempt; null if there was no response. */
      last_status: number | null;
      last_error: string | null;
    };
    WebhookWithSecret: {
      id: string;
      name: string | null;
      url: string;
      /** @description Event types; one that ends in a dot is a prefix: `card.` matches every type of card events. Empty matches all. */
      types: string[];
      /** @description All conditions must be true for the event, as the owner may see it. */
      conditions: components["schemas"]["WebhookCondition"][];
      is_active: boolean;
      /**
      * @description Why the service disabled it: all attempts failed for days, the receiver responded with 410, or the owner is not an active user or may not manage webhooks. Null if a user disabled it.
      * @enum {string|null}
      */
      disabled_reason: "failing" | "gone" | "owner_inactive" | "owner_not_permitted" | null;
      owner: components["schemas"]["WebhookOwner"] | null;
      previous_secret_until: string | null;
      status: components["schemas"]["WebhookStatus"];
      created_at: string;
      updated_at: string;
      version: number;
      /** @description Signing secret of Standard Webhooks, not shown again. */
      secret: string;
    };
  };
  responses: never;
  parameters: {
    /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
    IfMatch: string;
    /** @description The ETag of the version to change; 428 without it or with `*`, and 412 if the resource has been changed. */
    IfMatchRequired: string;
    /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
    IdempotencyKey: string;
    Id: string;
    /** @description Page number, from 1. */
    Page: number;
    /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
    Cursor: string;
    /** @description Direction of `sort_by`. */
    SortDir: "asc" | "desc";
    /** @description Items per page. */
    PageSize: number;
    /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
    Total: "none";
  };
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type Problem = components['schemas']['Problem'];
export type AcceptInvitationBody = components['schemas']['AcceptInvitationBody'];
export type AcceptInvitationResult = components['schemas']['AcceptInvitationResult'];
export type Adr = components['schemas']['Adr'];
export type AdrCreate = components['schemas']['AdrCreate'];
export type AdrGraph = components['schemas']['AdrGraph'];
export type AdrGraphEdge = components['schemas']['AdrGraphEdge'];
export type AdrGraphNode = components['schemas']['AdrGraphNode'];
export type AdrImportVerdict = components['schemas']['AdrImportVerdict'];
export type AdrOption = components['schemas']['AdrOption'];
export type AdrPage = components['schemas']['AdrPage'];
export type AdrPatch = components['schemas']['AdrPatch'];
export type AdrRelated = components['schemas']['AdrRelated'];
export type AdrRelatedBy = components['schemas']['AdrRelatedBy'];
export type AdrRelatedInput = components['schemas']['AdrRelatedInput'];
export type AdrRevision = components['schemas']['AdrRevision'];
export type AdrRevisionPage = components['schemas']['AdrRevisionPage'];
export type AdrSignatory = components['schemas']['AdrSignatory'];
export type AdrSource = components['schemas']['AdrSource'];
export type AiCall = components['schemas']['AiCall'];
export type AiCallDetail = components['schemas']['AiCallDetail'];
export type AiCallPage = components['schemas']['AiCallPage'];
export type AiSettings = components['schemas']['AiSettings'];
export type AiSettingsPatch = components['schemas']['AiSettingsPatch'];
export type AiUsage = components['schemas']['AiUsage'];
export type ApplyCmdbsyncRun = components['schemas']['ApplyCmdbsyncRun'];
export type ApplyCmdbsyncRunInput = components['schemas']['ApplyCmdbsyncRunInput'];
export type ApproveBpmVersionBody = components['schemas']['ApproveBpmVersionBody'];
export type ArchiveCardBody = components['schemas']['ArchiveCardBody'];
export type ArchiveImpact = components['schemas']['ArchiveImpact'];
export type ArchiveImpactRelated = components['schemas']['ArchiveImpactRelated'];
export type BpmAssessment = components['schemas']['BpmAssessment'];
export type BpmAssessmentActionItem = components['schemas']['BpmAssessmentActionItem'];
export type BpmAssessmentCreate = components['schemas']['BpmAssessmentCreate'];
export type BpmAssessmentHistoryChange = components['schemas']['BpmAssessmentHistoryChange'];
export type BpmAssessmentHistoryEntry = components['schemas']['BpmAssessmentHistoryEntry'];
export type BpmAssessmentHistoryPage = components['schemas']['BpmAssessmentHistoryPage'];
export type BpmAssessmentPage = components['schemas']['BpmAssessmentPage'];
export type BpmAssessmentPatch = components['schemas']['BpmAssessmentPatch'];
export type BpmAssessmentTrend = components['schemas']['BpmAssessmentTrend'];
export type BpmAssessmentTrendChange = components['schemas']['BpmAssessmentTrendChange'];
export type BpmAssessmentTrendPoint = components['schemas']['BpmAssessmentTrendPoint'];
export type BpmCapabilityProcessMatrixReport = components['schemas']['BpmCapabilityProcessMatrixReport'];
export type BpmCapabilityProcessMatrixReportCell = components['schemas']['BpmCapabilityProcessMatrixReportCell'];
export type BpmChange = components['schemas']['BpmChange'];
export type BpmDashboardReport = components['schemas']['BpmDashboardReport'];
export type BpmDashboardReportAverages = components['schemas']['BpmDashboardReportAverages'];
export type BpmDashboardReportAwaiting = components['schemas']['BpmDashboardReportAwaiting'];
export type BpmDashboardReportElements = components['schemas']['BpmDashboardReportElements'];
export type BpmDashboardReportFlow = components['schemas']['BpmDashboardReportFlow'];
export type BpmDashboardReportKind = components['schemas']['BpmDashboardReportKind'];
export type BpmDashboardReportProcesses = components['schemas']['BpmDashboardReportProcesses'];
export type BpmDependenciesReport = components['schemas']['BpmDependenciesReport'];
export type BpmDependenciesReportEdge = components['schemas']['BpmDependenciesReportEdge'];
export type BpmDependenciesReportProcess = components['schemas']['BpmDependenciesReportProcess'];
export type BpmDiff = components['schemas']['BpmDiff'];
export type BpmDiffBefore = components['schemas']['BpmDiffBefore'];
export type BpmDiffSummary = components['schemas']['BpmDiffSummary'];
export type BpmElement = components['schemas']['BpmElement'];
export type BpmElementApplicationMapReport = components['schemas']['BpmElementApplicationMapReport'];
export type BpmElementApplicationMapReportCard = components['schemas']['BpmElementApplicationMapReportCard'];
export type BpmElementApplicationMapReportCardProcess = components['schemas']['BpmElementApplicationMapReportCardProcess'];
export type BpmElementApplicationMapReportCardProcessElement = components['schemas']['BpmElementApplicationMapReportCardProcessElement'];
export type BpmElementLink = components['schemas']['BpmElementLink'];
export type BpmElementLinkInput = components['schemas']['BpmElementLinkInput'];
export type BpmElementLinksReplacement = components['schemas']['BpmElementLinksReplacement'];
export type BpmElementPage = components['schemas']['BpmElementPage'];
export type BpmFlowState = components['schemas']['BpmFlowState'];
export type BpmFlowStatePublished = components['schemas']['BpmFlowStatePublished'];
export type BpmHeatmapReport = components['schemas']['BpmHeatmapReport'];
export type BpmHeatmapReportAssessed = components['schemas']['BpmHeatmapReportAssessed'];
export type BpmHeatmapReportProcess = components['schemas']['BpmHeatmapReportProcess'];
export type BpmImpliedRelation = components['schemas']['BpmImpliedRelation'];
export type BpmImpliedRelationCard = components['schemas']['BpmImpliedRelationCard'];
export type BpmLatestAssessment = components['schemas']['BpmLatestAssessment'];
export type BpmProblem = components['schemas']['BpmProblem'];
export type BpmProblemPage = components['schemas']['BpmProblemPage'];
export type BpmProcess = components['schemas']['BpmProcess'];
export type BpmProcessItem = components['schemas']['BpmProcessItem'];
export type BpmProcessMapReport = components['schemas']['BpmProcessMapReport'];
export type BpmProcessMapReportProcess = components['schemas']['BpmProcessMapReportProcess'];
export type BpmProcessPage = components['schemas']['BpmProcessPage'];
export type BpmTemplate = components['schemas']['BpmTemplate'];
export type BpmTemplateCreate = components['schemas']['BpmTemplateCreate'];
export type BpmTemplatePage = components['schemas']['BpmTemplatePage'];
export type BpmTemplatePatch = components['schemas']['BpmTemplatePatch'];
export type BpmVersion = components['schemas']['BpmVersion'];
export type BpmVersionCreate = components['schemas']['BpmVersionCreate'];
export type BpmVersionDiagram = components['schemas']['BpmVersionDiagram'];
export type BpmVersionFieldChange = components['schemas']['BpmVersionFieldChange'];
export type BpmVersionHistoryEntry = components['schemas']['BpmVersionHistoryEntry'];
export type BpmVersionHistoryPage = components['schemas']['BpmVersionHistoryPage'];
export type BpmVersionPatch = components['schemas']['BpmVersionPatch'];
export type BpmVersionSummary = components['schemas']['BpmVersionSummary'];
export type BpmVersionSummaryPage = components['schemas']['BpmVersionSummaryPage'];
export type Card = components['schemas']['Card'];
export type CardBulk = components['schemas']['CardBulk'];
export type CardBulkOperation = components['schemas']['CardBulkOperation'];
export type CardBulkOperationCard = components['schemas']['CardBulkOperationCard'];
export type CardBulkRelation = components['schemas']['CardBulkRelation'];
export type CardBulkResult = components['schemas']['CardBulkResult'];
export type CardBulkRow = components['schemas']['CardBulkRow'];
export type CardBulkRowRelation = components['schemas']['CardBulkRowRelation'];
export type CardComment = components['schemas']['CardComment'];
export type CardCommentAuthor = components['schemas']['CardCommentAuthor'];
export type CardCommentCreate = components['schemas']['CardCommentCreate'];
export type CardCommentPage = components['schemas']['CardCommentPage'];
export type CardCommentPatch = components['schemas']['CardCommentPatch'];
export type CardCreate = components['schemas']['CardCreate'];
export type CardDiagram = components['schemas']['CardDiagram'];
export type CardDiagramPage = components['schemas']['CardDiagramPage'];
export type CardDocument = components['schemas']['CardDocument'];
export type CardDocumentCreate = components['schemas']['CardDocumentCreate'];
export type CardDocumentPage = components['schemas']['CardDocumentPage'];
export type CardDocumentPatch = components['schemas']['CardDocumentPatch'];
export type CardFacet = components['schemas']['CardFacet'];
export type CardFacets = components['schemas']['CardFacets'];
export type CardHierarchy = components['schemas']['CardHierarchy'];
export type CardHierarchyChildren = components['schemas']['CardHierarchyChildren'];
export type CardHistoryChange = components['schemas']['CardHistoryChange'];
export type CardHistoryEntry = components['schemas']['CardHistoryEntry'];
export type CardHistoryPage = components['schemas']['CardHistoryPage'];
export type CardImpact = components['schemas']['CardImpact'];
export type CardImpactEdge = components['schemas']['CardImpactEdge'];
export type CardImpactNode = components['schemas']['CardImpactNode'];
export type CardItem = components['schemas']['CardItem'];
export type CardName = components['schemas']['CardName'];
export type CardPage = components['schemas']['CardPage'];
export type CardPatch = components['schemas']['CardPatch'];
export type CardPermission = components['schemas']['CardPermission'];
export type CardPermissions = components['schemas']['CardPermissions'];
export type CardPointer = components['schemas']['CardPointer'];
export type CardReference = components['schemas']['CardReference'];
export type CardSection = components['schemas']['CardSection'];
export type CardSectionPage = components['schemas']['CardSectionPage'];
export type CardSoaw = components['schemas']['CardSoaw'];
export type CardSoawPage = components['schemas']['CardSoawPage'];
export type CardStakeholder = components['schemas']['CardStakeholder'];
export type CardStakeholderCreate = components['schemas']['CardStakeholderCreate'];
export type CardStakeholderPage = components['schemas']['CardStakeholderPage'];
export type CardTag = components['schemas']['CardTag'];
export type CardTagPage = components['schemas']['CardTagPage'];
export type CardTagValue = components['schemas']['CardTagValue'];
export type CardTagsReplacement = components['schemas']['CardTagsReplacement'];
export type CardTodo = components['schemas']['CardTodo'];
export type CardTodoCreate = components['schemas']['CardTodoCreate'];
export type CardTodoPage = components['schemas']['CardTodoPage'];
export type CardTodoPatch = components['schemas']['CardTodoPatch'];
export type CardType = components['schemas']['CardType'];
export type CardTypeApprovalPolicy = components['schemas']['CardTypeApprovalPolicy'];
export type CardTypeApprovalPolicyInput = components['schemas']['CardTypeApprovalPolicyInput'];
export type CardTypeCreate = components['schemas']['CardTypeCreate'];
export type CardTypePage = components['schemas']['CardTypePage'];
export type CardTypePatch = components['schemas']['CardTypePatch'];
export type CardTypeQualityWeights = components['schemas']['CardTypeQualityWeights'];
export type CardTypeQualityWeightsInput = components['schemas']['CardTypeQualityWeightsInput'];
export type CardTypeSection = components['schemas']['CardTypeSection'];
export type CardTypeSectionInput = components['schemas']['CardTypeSectionInput'];
export type CardTypeStakeholderRole = components['schemas']['CardTypeStakeholderRole'];
export type CardTypeSubtype = components['schemas']['CardTypeSubtype'];
export type CardTypeSubtypeInput = components['schemas']['CardTypeSubtypeInput'];
export type CardTypeUsage = components['schemas']['CardTypeUsage'];
export type CardTypeUsageField = components['schemas']['CardTypeUsageField'];
export type CardTypeUsageFieldOption = components['schemas']['CardTypeUsageFieldOption'];
export type CardTypeUsageStakeholderRole = components['schemas']['CardTypeUsageStakeholderRole'];
export type ChangePasswordBody = components['schemas']['ChangePasswordBody'];
export type CmdbsyncConnection = components['schemas']['CmdbsyncConnection'];
export type CmdbsyncConnectionCreate = components['schemas']['CmdbsyncConnectionCreate'];
export type CmdbsyncConnectionLastTest = components['schemas']['CmdbsyncConnectionLastTest'];
export type CmdbsyncConnectionPage = components['schemas']['CmdbsyncConnectionPage'];
export type CmdbsyncConnectionPatch = components['schemas']['CmdbsyncConnectionPatch'];
export type CmdbsyncConnectionStoredSecret = components['schemas']['CmdbsyncConnectionStoredSecret'];
export type CmdbsyncConnector = components['schemas']['CmdbsyncConnector'];
export type CmdbsyncConnectorPage = components['schemas']['CmdbsyncConnectorPage'];
export type CmdbsyncConnectorSecret = components['schemas']['CmdbsyncConnectorSecret'];
export type CmdbsyncField = components['schemas']['CmdbsyncField'];
export type CmdbsyncFieldDiff = components['schemas']['CmdbsyncFieldDiff'];
export type CmdbsyncFieldPage = components['schemas']['CmdbsyncFieldPage'];
export type CmdbsyncIdentity = components['schemas']['CmdbsyncIdentity'];
export type CmdbsyncIdentityPage = components['schemas']['CmdbsyncIdentityPage'];
export type CmdbsyncMapping = components['schemas']['CmdbsyncMapping'];
export type CmdbsyncMappingCreate = components['schemas']['CmdbsyncMappingCreate'];
export type CmdbsyncMappingField = components['schemas']['CmdbsyncMappingField'];
export type CmdbsyncMappingFieldTransform = components['schemas']['CmdbsyncMappingFieldTransform'];
export type CmdbsyncMappingIdentity = components['schemas']['CmdbsyncMappingIdentity'];
export type CmdbsyncMappingPage = components['schemas']['CmdbsyncMappingPage'];
export type CmdbsyncMappingPatch = components['schemas']['CmdbsyncMappingPatch'];
export type CmdbsyncMappingRelation = components['schemas']['CmdbsyncMappingRelation'];
export type CmdbsyncMappingsFromTemplate = components['schemas']['CmdbsyncMappingsFromTemplate'];
export type CmdbsyncMappingsFromTemplateCreate = components['schemas']['CmdbsyncMappingsFromTemplateCreate'];
export type CmdbsyncPreviewRecord = components['schemas']['CmdbsyncPreviewRecord'];
export type CmdbsyncPreviewRecordCard = components['schemas']['CmdbsyncPreviewRecordCard'];
export type CmdbsyncPreviewRecordError = components['schemas']['CmdbsyncPreviewRecordError'];
export type CmdbsyncPreviewRecordPage = components['schemas']['CmdbsyncPreviewRecordPage'];
export type CmdbsyncProposal = components['schemas']['CmdbsyncProposal'];
export type CmdbsyncRecord = components['schemas']['CmdbsyncRecord'];
export type CmdbsyncRecordPage = components['schemas']['CmdbsyncRecordPage'];
export type CmdbsyncResolve = components['schemas']['CmdbsyncResolve'];
export type CmdbsyncRun = components['schemas']['CmdbsyncRun'];
export type CmdbsyncRunError = components['schemas']['CmdbsyncRunError'];
export type CmdbsyncRunPage = components['schemas']['CmdbsyncRunPage'];
export type CmdbsyncRunReport = components['schemas']['CmdbsyncRunReport'];
export type CmdbsyncRunReportReason = components['schemas']['CmdbsyncRunReportReason'];
export type CmdbsyncRunReportRecord = components['schemas']['CmdbsyncRunReportRecord'];
export type CmdbsyncRunStart = components['schemas']['CmdbsyncRunStart'];
export type CmdbsyncTable = components['schemas']['CmdbsyncTable'];
export type CmdbsyncTablePage = components['schemas']['CmdbsyncTablePage'];
export type CmdbsyncTemplate = components['schemas']['CmdbsyncTemplate'];
export type CmdbsyncTemplateMapping = components['schemas']['CmdbsyncTemplateMapping'];
export type CmdbsyncTemplatePage = components['schemas']['CmdbsyncTemplatePage'];
export type ComparePpmBaseline = components['schemas']['ComparePpmBaseline'];
export type ComparePpmBaselineBefore = components['schemas']['ComparePpmBaselineBefore'];
export type ComparePpmBaselinePage = components['schemas']['ComparePpmBaselinePage'];
export type ComparePpmBaselinePageBaseline = components['schemas']['ComparePpmBaselinePageBaseline'];
export type ComparePpmBaselinePageSummary = components['schemas']['ComparePpmBaselinePageSummary'];
export type CompleteRiskOccurrenceBody = components['schemas']['CompleteRiskOccurrenceBody'];
export type ConfirmEmailChangeBody = components['schemas']['ConfirmEmailChangeBody'];
export type ConfirmEmailChangeResult = components['schemas']['ConfirmEmailChangeResult'];
export type ConnectionResult = components['schemas']['ConnectionResult'];
export type CostReport = components['schemas']['CostReport'];
export type CostReportGroup = components['schemas']['CostReportGroup'];
export type CostReportTrend = components['schemas']['CostReportTrend'];
export type CountUnreadNotificationsResult = components['schemas']['CountUnreadNotificationsResult'];
export type CreateTokenResult = components['schemas']['CreateTokenResult'];
export type DashboardReport = components['schemas']['DashboardReport'];
export type DashboardReportByApproval = components['schemas']['DashboardReportByApproval'];
export type DashboardReportByType = components['schemas']['DashboardReportByType'];
export type DashboardReportRecent = components['schemas']['DashboardReportRecent'];
export type DashboardReportTrend = components['schemas']['DashboardReportTrend'];
export type DataQualityReport = components['schemas']['DataQualityReport'];
export type DataQualityReportByOwner = components['schemas']['DataQualityReportByOwner'];
export type DataQualityReportByType = components['schemas']['DataQualityReportByType'];
export type DataQualityReportByTypeHrefs = components['schemas']['DataQualityReportByTypeHrefs'];
export type DataQualityReportMissing = components['schemas']['DataQualityReportMissing'];
export type DataQualityReportOrphans = components['schemas']['DataQualityReportOrphans'];
export type DataQualityReportStale = components['schemas']['DataQualityReportStale'];
export type DataQualityReportWorst = components['schemas']['DataQualityReportWorst'];
export type DecideCardBody = components['schemas']['DecideCardBody'];
export type DependenciesReport = components['schemas']['DependenciesReport'];
export type DependenciesReportEdge = components['schemas']['DependenciesReportEdge'];
export type DependenciesReportLayer = components['schemas']['DependenciesReportLayer'];
export type DependenciesReportNode = components['schemas']['DependenciesReportNode'];
export type DependenciesReportType = components['schemas']['DependenciesReportType'];
export type Diagram = components['schemas']['Diagram'];
export type DiagramCard = components['schemas']['DiagramCard'];
export type DiagramCardRef = components['schemas']['DiagramCardRef'];
export type DiagramCreate = components['schemas']['DiagramCreate'];
export type DiagramDiff = components['schemas']['DiagramDiff'];
export type DiagramDiffCards = components['schemas']['DiagramDiffCards'];
export type DiagramDiffCounts = components['schemas']['DiagramDiffCounts'];
export type DiagramDiffCountsFrom = components['schemas']['DiagramDiffCountsFrom'];
export type DiagramDiffRelations = components['schemas']['DiagramDiffRelations'];
export type DiagramDrawing = components['schemas']['DiagramDrawing'];
export type DiagramDrawingNotDrawable = components['schemas']['DiagramDrawingNotDrawable'];
export type DiagramFileReplacement = components['schemas']['DiagramFileReplacement'];
export type DiagramGroup = components['schemas']['DiagramGroup'];
export type DiagramGroupCreate = components['schemas']['DiagramGroupCreate'];
export type DiagramGroupPage = components['schemas']['DiagramGroupPage'];
export type DiagramGroupPatch = components['schemas']['DiagramGroupPatch'];
export type DiagramHistoryChange = components['schemas']['DiagramHistoryChange'];
export type DiagramHistoryEntry = components['schemas']['DiagramHistoryEntry'];
export type DiagramHistoryPage = components['schemas']['DiagramHistoryPage'];
export type DiagramPage = components['schemas']['DiagramPage'];
export type DiagramPatch = components['schemas']['DiagramPatch'];
export type DiagramRelationChange = components['schemas']['DiagramRelationChange'];
export type DiagramShape = components['schemas']['DiagramShape'];
export type DiagramShapePage = components['schemas']['DiagramShapePage'];
export type DiagramVersion = components['schemas']['DiagramVersion'];
export type DiagramVersionItem = components['schemas']['DiagramVersionItem'];
export type DiagramVersionPage = components['schemas']['DiagramVersionPage'];
export type DiagramVersionRemoved = components['schemas']['DiagramVersionRemoved'];
export type EmailChange = components['schemas']['EmailChange'];
export type EndOfLifeReportDependents = components['schemas']['EndOfLifeReportDependents'];
export type EndOfLifeReportEntry = components['schemas']['EndOfLifeReportEntry'];
export type EndOfLifeReportPage = components['schemas']['EndOfLifeReportPage'];
export type EndOfLifeReportPageAffected = components['schemas']['EndOfLifeReportPageAffected'];
export type EndOfLifeReportPageAffectedComponents = components['schemas']['EndOfLifeReportPageAffectedComponents'];
export type EndOfLifeReportPageByPeriod = components['schemas']['EndOfLifeReportPageByPeriod'];
export type EndOfLifeReportPageByPeriodType = components['schemas']['EndOfLifeReportPageByPeriodType'];
export type EndOfLifeReportPageByType = components['schemas']['EndOfLifeReportPageByType'];
export type EndOfLifeReportPageByTypePast = components['schemas']['EndOfLifeReportPageByTypePast'];
export type EndOfLifeReportPagePast = components['schemas']['EndOfLifeReportPagePast'];
export type EndOfLifeReportPageSoon = components['schemas']['EndOfLifeReportPageSoon'];
export type Event = components['schemas']['Event'];
export type EventPage = components['schemas']['EventPage'];
export type EventSubject = components['schemas']['EventSubject'];
export type EventType = components['schemas']['EventType'];
export type EventTypePage = components['schemas']['EventTypePage'];
export type ExchangeSsoCodeBody = components['schemas']['ExchangeSsoCodeBody'];
export type ExpandedChildren = components['schemas']['ExpandedChildren'];
export type ExpandedRelation = components['schemas']['ExpandedRelation'];
export type ExpandedRelations = components['schemas']['ExpandedRelations'];
export type ExplainPermissionResult = components['schemas']['ExplainPermissionResult'];
export type FieldDefinition = components['schemas']['FieldDefinition'];
export type FieldDefinitionInput = components['schemas']['FieldDefinitionInput'];
export type FieldError = components['schemas']['FieldError'];
export type FieldOption = components['schemas']['FieldOption'];
export type FieldOptionInput = components['schemas']['FieldOptionInput'];
export type FileImport = components['schemas']['FileImport'];
export type FileImportCounts = components['schemas']['FileImportCounts'];
export type FileImportError = components['schemas']['FileImportError'];
export type FileImportPage = components['schemas']['FileImportPage'];
export type FileImportProgress = components['schemas']['FileImportProgress'];
export type ForgotPasswordBody = components['schemas']['ForgotPasswordBody'];
export type GenerateDiagramBody = components['schemas']['GenerateDiagramBody'];
export type GenerateDiagramResult = components['schemas']['GenerateDiagramResult'];
export type Health = components['schemas']['Health'];
export type ImportAdrsBody = components['schemas']['ImportAdrsBody'];
export type ImportAdrsResult = components['schemas']['ImportAdrsResult'];
export type ImportAdrsResultSummary = components['schemas']['ImportAdrsResultSummary'];
export type ImportCreate = components['schemas']['ImportCreate'];
export type ImportDiagramsBody = components['schemas']['ImportDiagramsBody'];
export type ImportDiagramsResult = components['schemas']['ImportDiagramsResult'];
export type ImportDiagramsResultDiagram = components['schemas']['ImportDiagramsResultDiagram'];
export type ImportFormat = components['schemas']['ImportFormat'];
export type ImportFormatPage = components['schemas']['ImportFormatPage'];
export type ImportPpmPlanResult = components['schemas']['ImportPpmPlanResult'];
export type ImportPpmPlanResultChange = components['schemas']['ImportPpmPlanResultChange'];
export type ImportPpmPlanResultDependencies = components['schemas']['ImportPpmPlanResultDependencies'];
export type ImportPpmPlanResultItems = components['schemas']['ImportPpmPlanResultItems'];
export type ImportRow = components['schemas']['ImportRow'];
export type ImportRowDiff = components['schemas']['ImportRowDiff'];
export type ImportRowError = components['schemas']['ImportRowError'];
export type ImportRowPage = components['schemas']['ImportRowPage'];
export type InsightlensChangeInsightSupplierSplit = components['schemas']['InsightlensChangeInsightSupplierSplit'];
export type InsightlensFetchInsightFeedResult = components['schemas']['InsightlensFetchInsightFeedResult'];
export type InsightlensInsightBulkTransition = components['schemas']['InsightlensInsightBulkTransition'];
export type InsightlensInsightBulkTransitionResult = components['schemas']['InsightlensInsightBulkTransitionResult'];
export type InsightlensInsightBulkTransitionResultResult = components['schemas']['InsightlensInsightBulkTransitionResultResult'];
export type InsightlensInsightBulkTransitionResultResultError = components['schemas']['InsightlensInsightBulkTransitionResultResultError'];
export type InsightlensInsightCandidate = components['schemas']['InsightlensInsightCandidate'];
export type InsightlensInsightCandidatePage = components['schemas']['InsightlensInsightCandidatePage'];
export type InsightlensInsightCandidateReason = components['schemas']['InsightlensInsightCandidateReason'];
export type InsightlensInsightCardProduct = components['schemas']['InsightlensInsightCardProduct'];
export type InsightlensInsightCardProductInput = components['schemas']['InsightlensInsightCardProductInput'];
export type InsightlensInsightChangeSet = components['schemas']['InsightlensInsightChangeSet'];
export type InsightlensInsightChangeSetCard = components['schemas']['InsightlensInsightChangeSetCard'];
export type InsightlensInsightChangeSetRelation = components['schemas']['InsightlensInsightChangeSetRelation'];
export type InsightlensInsightChangeSetRelationSource = components['schemas']['InsightlensInsightChangeSetRelationSource'];
export type InsightlensInsightCitation = components['schemas']['InsightlensInsightCitation'];
export type InsightlensInsightCompliance = components['schemas']['InsightlensInsightCompliance'];
export type InsightlensInsightCompliancePage = components['schemas']['InsightlensInsightCompliancePage'];
export type InsightlensInsightComplianceRequirement = components['schemas']['InsightlensInsightComplianceRequirement'];
export type InsightlensInsightDuplicateCluster = components['schemas']['InsightlensInsightDuplicateCluster'];
export type InsightlensInsightDuplicateClusterPage = components['schemas']['InsightlensInsightDuplicateClusterPage'];
export type InsightlensInsightDuplicateClusterPair = components['schemas']['InsightlensInsightDuplicateClusterPair'];
export type InsightlensInsightDuplicateClusterRecommendation = components['schemas']['InsightlensInsightDuplicateClusterRecommendation'];
export type InsightlensInsightExplanation = components['schemas']['InsightlensInsightExplanation'];
export type InsightlensInsightFeed = components['schemas']['InsightlensInsightFeed'];
export type InsightlensInsightFeedFailure = components['schemas']['InsightlensInsightFeedFailure'];
export type InsightlensInsightFeedPage = components['schemas']['InsightlensInsightFeedPage'];
export type InsightlensInsightFinding = components['schemas']['InsightlensInsightFinding'];
export type InsightlensInsightFindingCard = components['schemas']['InsightlensInsightFindingCard'];
export type InsightlensInsightFindingPage = components['schemas']['InsightlensInsightFindingPage'];
export type InsightlensInsightFindingPromotedTo = components['schemas']['InsightlensInsightFindingPromotedTo'];
export type InsightlensInsightFindingTransition = components['schemas']['InsightlensInsightFindingTransition'];
export type InsightlensInsightModelUse = components['schemas']['InsightlensInsightModelUse'];
export type InsightlensInsightOddProduct = components['schemas']['InsightlensInsightOddProduct'];
export type InsightlensInsightOddProductPage = components['schemas']['InsightlensInsightOddProductPage'];
export type InsightlensInsightProductMatch = components['schemas']['InsightlensInsightProductMatch'];
export type InsightlensInsightProductMatchPage = components['schemas']['InsightlensInsightProductMatchPage'];
export type InsightlensInsightPromoted = components['schemas']['InsightlensInsightPromoted'];
export type InsightlensInsightPromotedPromotedTo = components['schemas']['InsightlensInsightPromotedPromotedTo'];
export type InsightlensInsightPromotion = components['schemas']['InsightlensInsightPromotion'];
export type InsightlensInsightProposal = components['schemas']['InsightlensInsightProposal'];
export type InsightlensInsightProposalAdvice = components['schemas']['InsightlensInsightProposalAdvice'];
export type InsightlensInsightProposalAdviceOption = components['schemas']['InsightlensInsightProposalAdviceOption'];
export type InsightlensInsightProposalCommit = components['schemas']['InsightlensInsightProposalCommit'];
export type InsightlensInsightProposalCreate = components['schemas']['InsightlensInsightProposalCreate'];
export type InsightlensInsightProposalDesign = components['schemas']['InsightlensInsightProposalDesign'];
export type InsightlensInsightProposalDesignCapability = components['schemas']['InsightlensInsightProposalDesignCapability'];
export type InsightlensInsightProposalDesignDependencies = components['schemas']['InsightlensInsightProposalDesignDependencies'];
export type InsightlensInsightProposalDesignDependenciesCard = components['schemas']['InsightlensInsightProposalDesignDependenciesCard'];
export type InsightlensInsightProposalDesignGaps = components['schemas']['InsightlensInsightProposalDesignGaps'];
export type InsightlensInsightProposalDesignOption = components['schemas']['InsightlensInsightProposalDesignOption'];
export type InsightlensInsightProposalDesignOptionReason = components['schemas']['InsightlensInsightProposalDesignOptionReason'];
export type InsightlensInsightProposalNamedCard = components['schemas']['InsightlensInsightProposalNamedCard'];
export type InsightlensInsightProposalOutcome = components['schemas']['InsightlensInsightProposalOutcome'];
export type InsightlensInsightProposalOutcomeAdr = components['schemas']['InsightlensInsightProposalOutcomeAdr'];
export type InsightlensInsightProposalOutcomeCard = components['schemas']['InsightlensInsightProposalOutcomeCard'];
export type InsightlensInsightProposalPatch = components['schemas']['InsightlensInsightProposalPatch'];
export type InsightlensInsightProposalSummary = components['schemas']['InsightlensInsightProposalSummary'];
export type InsightlensInsightProposalSummaryPage = components['schemas']['InsightlensInsightProposalSummaryPage'];
export type InsightlensInsightRule = components['schemas']['InsightlensInsightRule'];
export type InsightlensInsightRulePage = components['schemas']['InsightlensInsightRulePage'];
export type InsightlensInsightRun = components['schemas']['InsightlensInsightRun'];
export type InsightlensInsightRunPage = components['schemas']['InsightlensInsightRunPage'];
export type InsightlensInsightSupplier = components['schemas']['InsightlensInsightSupplier'];
export type InsightlensInsightSupplierChange = components['schemas']['InsightlensInsightSupplierChange'];
export type InsightlensInsightSupplierDependentCard = components['schemas']['InsightlensInsightSupplierDependentCard'];
export type InsightlensInsightSupplierLockIn = components['schemas']['InsightlensInsightSupplierLockIn'];
export type InsightlensInsightSupplierLockInByCriticality = components['schemas']['InsightlensInsightSupplierLockInByCriticality'];
export type InsightlensInsightSupplierName = components['schemas']['InsightlensInsightSupplierName'];
export type InsightlensInsightSupplierRow = components['schemas']['InsightlensInsightSupplierRow'];
export type InsightlensInsightSupplierRowPage = components['schemas']['InsightlensInsightSupplierRowPage'];
export type InsightlensInsightSupplierTree = components['schemas']['InsightlensInsightSupplierTree'];
export type InsightlensInsightSupplierTreeConcentration = components['schemas']['InsightlensInsightSupplierTreeConcentration'];
export type InsightlensInsightSupplierTreeConcentrationBySpend = components['schemas']['InsightlensInsightSupplierTreeConcentrationBySpend'];
export type InsightlensInsightSupplierTreeEntry = components['schemas']['InsightlensInsightSupplierTreeEntry'];
export type InsightlensTransitionInsightFindingsOperation = components['schemas']['InsightlensTransitionInsightFindingsOperation'];
export type InsightlensUploadInsightFeedBody = components['schemas']['InsightlensUploadInsightFeedBody'];
export type InstallModuleBody = components['schemas']['InstallModuleBody'];
export type InstallModuleResult = components['schemas']['InstallModuleResult'];
export type InstallModuleResultFailed = components['schemas']['InstallModuleResultFailed'];
export type InstallModuleResultIgnored = components['schemas']['InstallModuleResultIgnored'];
export type Invitation = components['schemas']['Invitation'];
export type InvitationCreate = components['schemas']['InvitationCreate'];
export type InvitationInvitedBy = components['schemas']['InvitationInvitedBy'];
export type InvitationPage = components['schemas']['InvitationPage'];
export type Job = components['schemas']['Job'];
export type JobFailure = components['schemas']['JobFailure'];
export type JobItem = components['schemas']['JobItem'];
export type JobPage = components['schemas']['JobPage'];
export type JobStatus = components['schemas']['JobStatus'];
export type JobStatusError = components['schemas']['JobStatusError'];
export type JobSummary = components['schemas']['JobSummary'];
export type JobSummaryPage = components['schemas']['JobSummaryPage'];
export type JsonPatchOperation = components['schemas']['JsonPatchOperation'];
export type LandscapeReport = components['schemas']['LandscapeReport'];
export type LandscapeReportBox = components['schemas']['LandscapeReportBox'];
export type LandscapeReportBoxCard = components['schemas']['LandscapeReportBoxCard'];
export type LandscapeReportColorBy = components['schemas']['LandscapeReportColorBy'];
export type LandscapeReportLegend = components['schemas']['LandscapeReportLegend'];
export type LandscapeReportUnassigned = components['schemas']['LandscapeReportUnassigned'];
export type LifecycleReportEntry = components['schemas']['LifecycleReportEntry'];
export type LifecycleReportPage = components['schemas']['LifecycleReportPage'];
export type LifecycleReportPagePhase = components['schemas']['LifecycleReportPagePhase'];
export type LifecycleReportPageType = components['schemas']['LifecycleReportPageType'];
export type LifecycleReportPageWithout = components['schemas']['LifecycleReportPageWithout'];
export type LifecycleReportPhase = components['schemas']['LifecycleReportPhase'];
export type LinkUserIdentityBody = components['schemas']['LinkUserIdentityBody'];
export type ListRiskFilesPage = components['schemas']['ListRiskFilesPage'];
export type LoginBody = components['schemas']['LoginBody'];
export type Logo = components['schemas']['Logo'];
export type MatchDiagramCardsBody = components['schemas']['MatchDiagramCardsBody'];
export type MatchDiagramCardsMatch = components['schemas']['MatchDiagramCardsMatch'];
export type MatchDiagramCardsResult = components['schemas']['MatchDiagramCardsResult'];
export type MatchDiagramCardsResultProposal = components['schemas']['MatchDiagramCardsResultProposal'];
export type MatchDiagramCardsResultProposalCandidate = components['schemas']['MatchDiagramCardsResultProposalCandidate'];
export type MatrixReport = components['schemas']['MatrixReport'];
export type MatrixReportCell = components['schemas']['MatrixReportCell'];
export type MatrixReportMeasure = components['schemas']['MatrixReportMeasure'];
export type MatrixReportRow = components['schemas']['MatrixReportRow'];
export type Me = components['schemas']['Me'];
export type MePatch = components['schemas']['MePatch'];
export type MeSignedInBy = components['schemas']['MeSignedInBy'];
export type MetamodelRevision = components['schemas']['MetamodelRevision'];
export type MetamodelRevisionPage = components['schemas']['MetamodelRevisionPage'];
export type Module = components['schemas']['Module'];
export type ModuleDatabaseRole = components['schemas']['ModuleDatabaseRole'];
export type ModulePage = components['schemas']['ModulePage'];
export type ModulePatch = components['schemas']['ModulePatch'];
export type ModulePermission = components['schemas']['ModulePermission'];
export type ModuleRoute = components['schemas']['ModuleRoute'];
export type ModuleSubscription = components['schemas']['ModuleSubscription'];
export type ModuleSubscriptionPage = components['schemas']['ModuleSubscriptionPage'];
export type MoveRiskBody = components['schemas']['MoveRiskBody'];
export type Notification = components['schemas']['Notification'];
export type NotificationActor = components['schemas']['NotificationActor'];
export type NotificationPage = components['schemas']['NotificationPage'];
export type NotificationPreferences = components['schemas']['NotificationPreferences'];
export type NotificationPreferencesKind = components['schemas']['NotificationPreferencesKind'];
export type NotificationPreferencesKindInput = components['schemas']['NotificationPreferencesKindInput'];
export type NotificationPreferencesPatch = components['schemas']['NotificationPreferencesPatch'];
export type NotificationSubject = components['schemas']['NotificationSubject'];
export type OwnTodo = components['schemas']['OwnTodo'];
export type OwnTodoPage = components['schemas']['OwnTodoPage'];
export type ParkedEvent = components['schemas']['ParkedEvent'];
export type ParkedEventPage = components['schemas']['ParkedEventPage'];
export type Permission = components['schemas']['Permission'];
export type PermissionPage = components['schemas']['PermissionPage'];
export type Portal = components['schemas']['Portal'];
export type PortalCreate = components['schemas']['PortalCreate'];
export type PortalPage = components['schemas']['PortalPage'];
export type PortalPatch = components['schemas']['PortalPatch'];
export type PortalProblem = components['schemas']['PortalProblem'];
export type PortfolioReport = components['schemas']['PortfolioReport'];
export type PortfolioReportAxes = components['schemas']['PortfolioReportAxes'];
export type PortfolioReportAxesX = components['schemas']['PortfolioReportAxesX'];
export type PortfolioReportBucket = components['schemas']['PortfolioReportBucket'];
export type PortfolioReportBucketColor = components['schemas']['PortfolioReportBucketColor'];
export type PortfolioReportSize = components['schemas']['PortfolioReportSize'];
export type PpmAssignee = components['schemas']['PpmAssignee'];
export type PpmBaseline = components['schemas']['PpmBaseline'];
export type PpmBaselineCreate = components['schemas']['PpmBaselineCreate'];
export type PpmBaselinePage = components['schemas']['PpmBaselinePage'];
export type PpmBaselinePatch = components['schemas']['PpmBaselinePatch'];
export type PpmBudget = components['schemas']['PpmBudget'];
export type PpmBudgetCreate = components['schemas']['PpmBudgetCreate'];
export type PpmBudgetPage = components['schemas']['PpmBudgetPage'];
export type PpmBudgetPatch = components['schemas']['PpmBudgetPatch'];
export type PpmBudgetVsActualReport = components['schemas']['PpmBudgetVsActualReport'];
export type PpmBudgetVsActualReportByInitiative = components['schemas']['PpmBudgetVsActualReportByInitiative'];
export type PpmBudgetVsActualReportRow = components['schemas']['PpmBudgetVsActualReportRow'];
export type PpmBudgetVsActualReportTotals = components['schemas']['PpmBudgetVsActualReportTotals'];
export type PpmBudgetVsActualReportYear = components['schemas']['PpmBudgetVsActualReportYear'];
export type PpmCost = components['schemas']['PpmCost'];
export type PpmCostCreate = components['schemas']['PpmCostCreate'];
export type PpmCostPage = components['schemas']['PpmCostPage'];
export type PpmCostPatch = components['schemas']['PpmCostPatch'];
export type PpmDashboardReport = components['schemas']['PpmDashboardReport'];
export type PpmDashboardReportAmounts = components['schemas']['PpmDashboardReportAmounts'];
export type PpmDashboardReportAttention = components['schemas']['PpmDashboardReportAttention'];
export type PpmDashboardReportAttentionReason = components['schemas']['PpmDashboardReportAttentionReason'];
export type PpmDashboardReportCompletion = components['schemas']['PpmDashboardReportCompletion'];
export type PpmDashboardReportHealth = components['schemas']['PpmDashboardReportHealth'];
export type PpmDashboardReportLate = components['schemas']['PpmDashboardReportLate'];
export type PpmDashboardReportMilestone = components['schemas']['PpmDashboardReportMilestone'];
export type PpmDashboardReportOpenRisks = components['schemas']['PpmDashboardReportOpenRisks'];
export type PpmDependency = components['schemas']['PpmDependency'];
export type PpmDependencyCreate = components['schemas']['PpmDependencyCreate'];
export type PpmDependencyPage = components['schemas']['PpmDependencyPage'];
export type PpmDependencyPatch = components['schemas']['PpmDependencyPatch'];
export type PpmEarnedValue = components['schemas']['PpmEarnedValue'];
export type PpmEarnedValueSeries = components['schemas']['PpmEarnedValueSeries'];
export type PpmEarnedValueSeriesPoint = components['schemas']['PpmEarnedValueSeriesPoint'];
export type PpmGantt = components['schemas']['PpmGantt'];
export type PpmGanttDependency = components['schemas']['PpmGanttDependency'];
export type PpmGanttReport = components['schemas']['PpmGanttReport'];
export type PpmGanttReportInitiative = components['schemas']['PpmGanttReportInitiative'];
export type PpmGanttReportInitiativeMilestone = components['schemas']['PpmGanttReportInitiativeMilestone'];
export type PpmGanttRow = components['schemas']['PpmGanttRow'];
export type PpmGanttRowBaseline = components['schemas']['PpmGanttRowBaseline'];
export type PpmHealth = components['schemas']['PpmHealth'];
export type PpmHistoryActor = components['schemas']['PpmHistoryActor'];
export type PpmHistoryActorToken = components['schemas']['PpmHistoryActorToken'];
export type PpmHistoryChange = components['schemas']['PpmHistoryChange'];
export type PpmHistoryEntry = components['schemas']['PpmHistoryEntry'];
export type PpmHistoryPage = components['schemas']['PpmHistoryPage'];
export type PpmHoliday = components['schemas']['PpmHoliday'];
export type PpmHolidayCreate = components['schemas']['PpmHolidayCreate'];
export type PpmHolidayPage = components['schemas']['PpmHolidayPage'];
export type PpmHolidayPatch = components['schemas']['PpmHolidayPatch'];
export type PpmInitiative = components['schemas']['PpmInitiative'];
export type PpmInitiativeCardRollUp = components['schemas']['PpmInitiativeCardRollUp'];
export type PpmInitiativeCounts = components['schemas']['PpmInitiativeCounts'];
export type PpmInitiativeItem = components['schemas']['PpmInitiativeItem'];
export type PpmInitiativePage = components['schemas']['PpmInitiativePage'];
export type PpmNextMilestone = components['schemas']['PpmNextMilestone'];
export type PpmOpenRisks = components['schemas']['PpmOpenRisks'];
export type PpmPlan = components['schemas']['PpmPlan'];
export type PpmPlanCalendar = components['schemas']['PpmPlanCalendar'];
export type PpmPlanCalendarException = components['schemas']['PpmPlanCalendarException'];
export type PpmPlanEffectiveCalendar = components['schemas']['PpmPlanEffectiveCalendar'];
export type PpmPlanEffectiveCalendarHoliday = components['schemas']['PpmPlanEffectiveCalendarHoliday'];
export type PpmPlanPatch = components['schemas']['PpmPlanPatch'];
export type PpmResourceLoad = components['schemas']['PpmResourceLoad'];
export type PpmResourceLoadPeople = components['schemas']['PpmResourceLoadPeople'];
export type PpmResourceLoadWeek = components['schemas']['PpmResourceLoadWeek'];
export type PpmRisk = components['schemas']['PpmRisk'];
export type PpmRiskCreate = components['schemas']['PpmRiskCreate'];
export type PpmRiskPage = components['schemas']['PpmRiskPage'];
export type PpmRiskPatch = components['schemas']['PpmRiskPatch'];
export type PpmScheduleEntry = components['schemas']['PpmScheduleEntry'];
export type PpmSchedulePage = components['schemas']['PpmSchedulePage'];
export type PpmSchedulePageConflict = components['schemas']['PpmSchedulePageConflict'];
export type PpmSchedulePageConflictDrivenBy = components['schemas']['PpmSchedulePageConflictDrivenBy'];
export type PpmStatusReport = components['schemas']['PpmStatusReport'];
export type PpmStatusReportCreate = components['schemas']['PpmStatusReportCreate'];
export type PpmStatusReportPage = components['schemas']['PpmStatusReportPage'];
export type PpmStatusReportPatch = components['schemas']['PpmStatusReportPatch'];
export type PpmTask = components['schemas']['PpmTask'];
export type PpmTaskComment = components['schemas']['PpmTaskComment'];
export type PpmTaskCommentCreate = components['schemas']['PpmTaskCommentCreate'];
export type PpmTaskCommentPage = components['schemas']['PpmTaskCommentPage'];
export type PpmTaskCreate = components['schemas']['PpmTaskCreate'];
export type PpmTaskInitiative = components['schemas']['PpmTaskInitiative'];
export type PpmTaskMove = components['schemas']['PpmTaskMove'];
export type PpmTaskPage = components['schemas']['PpmTaskPage'];
export type PpmTaskPatch = components['schemas']['PpmTaskPatch'];
export type PpmWbsItem = components['schemas']['PpmWbsItem'];
export type PpmWbsItemCreate = components['schemas']['PpmWbsItemCreate'];
export type PpmWbsItemMove = components['schemas']['PpmWbsItemMove'];
export type PpmWbsItemUpdate = components['schemas']['PpmWbsItemUpdate'];
export type PpmWbsPage = components['schemas']['PpmWbsPage'];
export type PreviewCmdbsyncMappingBody = components['schemas']['PreviewCmdbsyncMappingBody'];
export type PromotePpmRiskBody = components['schemas']['PromotePpmRiskBody'];
export type ProposeDiagramRelation = components['schemas']['ProposeDiagramRelation'];
export type ProposeDiagramRelationsBody = components['schemas']['ProposeDiagramRelationsBody'];
export type ProposeDiagramRelationsResult = components['schemas']['ProposeDiagramRelationsResult'];
export type ProposeDiagramRelationsResultProposal = components['schemas']['ProposeDiagramRelationsResultProposal'];
export type ProposeDiagramRelationsResultProposalCandidate = components['schemas']['ProposeDiagramRelationsResultProposalCandidate'];
export type ProposeDiagramRelationsResultProposalEdge = components['schemas']['ProposeDiagramRelationsResultProposalEdge'];
export type PublicPortal = components['schemas']['PublicPortal'];
export type PublicPortalCard = components['schemas']['PublicPortalCard'];
export type PublicPortalCardPage = components['schemas']['PublicPortalCardPage'];
export type PublicPortalField = components['schemas']['PublicPortalField'];
export type PublicPortalFieldOption = components['schemas']['PublicPortalFieldOption'];
export type ReadAllNotificationsBody = components['schemas']['ReadAllNotificationsBody'];
export type ReadAllNotificationsResult = components['schemas']['ReadAllNotificationsResult'];
export type Readiness = components['schemas']['Readiness'];
export type ReadinessChecks = components['schemas']['ReadinessChecks'];
export type RefreshBody = components['schemas']['RefreshBody'];
export type RegisterBody = components['schemas']['RegisterBody'];
export type RejectAdrBody = components['schemas']['RejectAdrBody'];
export type RejectBpmVersionBody = components['schemas']['RejectBpmVersionBody'];
export type Relation = components['schemas']['Relation'];
export type RelationBulk = components['schemas']['RelationBulk'];
export type RelationBulkOperation = components['schemas']['RelationBulkOperation'];
export type RelationBulkResult = components['schemas']['RelationBulkResult'];
export type RelationBulkRow = components['schemas']['RelationBulkRow'];
export type RelationCreate = components['schemas']['RelationCreate'];
export type RelationPage = components['schemas']['RelationPage'];
export type RelationPatch = components['schemas']['RelationPatch'];
export type RelationType = components['schemas']['RelationType'];
export type RelationTypeCreate = components['schemas']['RelationTypeCreate'];
export type RelationTypePage = components['schemas']['RelationTypePage'];
export type RelationTypePatch = components['schemas']['RelationTypePatch'];
export type Report = components['schemas']['Report'];
export type ReportGroup = components['schemas']['ReportGroup'];
export type ReportPage = components['schemas']['ReportPage'];
export type RequestAdrSignaturesBody = components['schemas']['RequestAdrSignaturesBody'];
export type RequestEmailChangeBody = components['schemas']['RequestEmailChangeBody'];
export type ResetPasswordBody = components['schemas']['ResetPasswordBody'];
export type RetryJobsBody = components['schemas']['RetryJobsBody'];
export type RetryJobsResult = components['schemas']['RetryJobsResult'];
export type Risk = components['schemas']['Risk'];
export type RiskAcceptance = components['schemas']['RiskAcceptance'];
export type RiskBulk = components['schemas']['RiskBulk'];
export type RiskBulkOperation = components['schemas']['RiskBulkOperation'];
export type RiskBulkOperationRisk = components['schemas']['RiskBulkOperationRisk'];
export type RiskBulkResult = components['schemas']['RiskBulkResult'];
export type RiskBulkRow = components['schemas']['RiskBulkRow'];
export type RiskCard = components['schemas']['RiskCard'];
export type RiskCardCreate = components['schemas']['RiskCardCreate'];
export type RiskCardPage = components['schemas']['RiskCardPage'];
export type RiskCardReplacement = components['schemas']['RiskCardReplacement'];
export type RiskCardValue = components['schemas']['RiskCardValue'];
export type RiskCount = components['schemas']['RiskCount'];
export type RiskCreate = components['schemas']['RiskCreate'];
export type RiskFile = components['schemas']['RiskFile'];
export type RiskFilePage = components['schemas']['RiskFilePage'];
export type RiskFilesCreate = components['schemas']['RiskFilesCreate'];
export type RiskHistoryEntry = components['schemas']['RiskHistoryEntry'];
export type RiskHistoryPage = components['schemas']['RiskHistoryPage'];
export type RiskMatrix = components['schemas']['RiskMatrix'];
export type RiskMatrixImpact = components['schemas']['RiskMatrixImpact'];
export type RiskMatrixLevel = components['schemas']['RiskMatrixLevel'];
export type RiskMatrixProbability = components['schemas']['RiskMatrixProbability'];
export type RiskMatrixRow = components['schemas']['RiskMatrixRow'];
export type RiskMatrixRowCell = components['schemas']['RiskMatrixRowCell'];
export type RiskMatrixRowCellRisk = components['schemas']['RiskMatrixRowCellRisk'];
export type RiskMetrics = components['schemas']['RiskMetrics'];
export type RiskMetricsByCategory = components['schemas']['RiskMetricsByCategory'];
export type RiskMetricsByLevel = components['schemas']['RiskMetricsByLevel'];
export type RiskMetricsByOwner = components['schemas']['RiskMetricsByOwner'];
export type RiskMetricsByStatus = components['schemas']['RiskMetricsByStatus'];
export type RiskMetricsTrend = components['schemas']['RiskMetricsTrend'];
export type RiskMitigation = components['schemas']['RiskMitigation'];
export type RiskMitigationCreate = components['schemas']['RiskMitigationCreate'];
export type RiskMitigationHistoryChange = components['schemas']['RiskMitigationHistoryChange'];
export type RiskMitigationHistoryEntry = components['schemas']['RiskMitigationHistoryEntry'];
export type RiskMitigationHistoryPage = components['schemas']['RiskMitigationHistoryPage'];
export type RiskMitigationOpenOccurrence = components['schemas']['RiskMitigationOpenOccurrence'];
export type RiskMitigationPage = components['schemas']['RiskMitigationPage'];
export type RiskMitigationPatch = components['schemas']['RiskMitigationPatch'];
export type RiskMitigations = components['schemas']['RiskMitigations'];
export type RiskOccurrence = components['schemas']['RiskOccurrence'];
export type RiskOccurrencePage = components['schemas']['RiskOccurrencePage'];
export type RiskPage = components['schemas']['RiskPage'];
export type RiskPatch = components['schemas']['RiskPatch'];
export type RiskPropagation = components['schemas']['RiskPropagation'];
export type RiskPropagationCard = components['schemas']['RiskPropagationCard'];
export type RiskPropagationOrigin = components['schemas']['RiskPropagationOrigin'];
export type Role = components['schemas']['Role'];
export type RoleCreate = components['schemas']['RoleCreate'];
export type RolePage = components['schemas']['RolePage'];
export type RolePatch = components['schemas']['RolePatch'];
export type SavedReport = components['schemas']['SavedReport'];
export type SavedReportCreate = components['schemas']['SavedReportCreate'];
export type SavedReportOwner = components['schemas']['SavedReportOwner'];
export type SavedReportPage = components['schemas']['SavedReportPage'];
export type SavedReportPatch = components['schemas']['SavedReportPatch'];
export type SavedReportSharedWith = components['schemas']['SavedReportSharedWith'];
export type SavedReportSharedWithInput = components['schemas']['SavedReportSharedWithInput'];
export type Schedule = components['schemas']['Schedule'];
export type SchedulePage = components['schemas']['SchedulePage'];
export type Session = components['schemas']['Session'];
export type SessionPage = components['schemas']['SessionPage'];
export type Settings = components['schemas']['Settings'];
export type SettingsApiTokens = components['schemas']['SettingsApiTokens'];
export type SettingsApiTokensInput = components['schemas']['SettingsApiTokensInput'];
export type SettingsCardLimits = components['schemas']['SettingsCardLimits'];
export type SettingsCardLimitsInput = components['schemas']['SettingsCardLimitsInput'];
export type SettingsLoginLimits = components['schemas']['SettingsLoginLimits'];
export type SettingsLoginLimitsInput = components['schemas']['SettingsLoginLimitsInput'];
export type SettingsPatch = components['schemas']['SettingsPatch'];
export type SettingsRateLimits = components['schemas']['SettingsRateLimits'];
export type SettingsRateLimitsInput = components['schemas']['SettingsRateLimitsInput'];
export type SettingsRegistration = components['schemas']['SettingsRegistration'];
export type SettingsRegistrationInput = components['schemas']['SettingsRegistrationInput'];
export type SettingsWriteLimits = components['schemas']['SettingsWriteLimits'];
export type SettingsWriteLimitsInput = components['schemas']['SettingsWriteLimitsInput'];
export type SignAdrBody = components['schemas']['SignAdrBody'];
export type SmtpSettings = components['schemas']['SmtpSettings'];
export type SmtpSettingsPatch = components['schemas']['SmtpSettingsPatch'];
export type Soaw = components['schemas']['Soaw'];
export type SoawBuiltInTemplate = components['schemas']['SoawBuiltInTemplate'];
export type SoawCard = components['schemas']['SoawCard'];
export type SoawCardInput = components['schemas']['SoawCardInput'];
export type SoawComment = components['schemas']['SoawComment'];
export type SoawCommentCreate = components['schemas']['SoawCommentCreate'];
export type SoawCommentPage = components['schemas']['SoawCommentPage'];
export type SoawCommentPatch = components['schemas']['SoawCommentPatch'];
export type SoawCreate = components['schemas']['SoawCreate'];
export type SoawDiff = components['schemas']['SoawDiff'];
export type SoawDiffBefore = components['schemas']['SoawDiffBefore'];
export type SoawDiffSection = components['schemas']['SoawDiffSection'];
export type SoawDiffSectionEntries = components['schemas']['SoawDiffSectionEntries'];
export type SoawDiffSectionLine = components['schemas']['SoawDiffSectionLine'];
export type SoawDiffSectionTables = components['schemas']['SoawDiffSectionTables'];
export type SoawDiffSectionTitle = components['schemas']['SoawDiffSectionTitle'];
export type SoawDiffTable = components['schemas']['SoawDiffTable'];
export type SoawDiffTableRows = components['schemas']['SoawDiffTableRows'];
export type SoawDiffTableRowsAdded = components['schemas']['SoawDiffTableRowsAdded'];
export type SoawDiffTableRowsChanged = components['schemas']['SoawDiffTableRowsChanged'];
export type SoawDiffTitle = components['schemas']['SoawDiffTitle'];
export type SoawEntry = components['schemas']['SoawEntry'];
export type SoawPatch = components['schemas']['SoawPatch'];
export type SoawSection = components['schemas']['SoawSection'];
export type SoawSectionBody = components['schemas']['SoawSectionBody'];
export type SoawTable = components['schemas']['SoawTable'];
export type SoawTableColumn = components['schemas']['SoawTableColumn'];
export type SoawTableDefinition = components['schemas']['SoawTableDefinition'];
export type SoawTables = components['schemas']['SoawTables'];
export type SoawTemplate = components['schemas']['SoawTemplate'];
export type SoawTemplateCreate = components['schemas']['SoawTemplateCreate'];
export type SoawTemplatePage = components['schemas']['SoawTemplatePage'];
export type SoawTemplatePatch = components['schemas']['SoawTemplatePatch'];
export type SoawTemplateSummary = components['schemas']['SoawTemplateSummary'];
export type SoawTemplateSummaryPage = components['schemas']['SoawTemplateSummaryPage'];
export type SoawTemplateSummarySection = components['schemas']['SoawTemplateSummarySection'];
export type SsoConfig = components['schemas']['SsoConfig'];
export type SsoConfigProvider = components['schemas']['SsoConfigProvider'];
export type SsoLogout = components['schemas']['SsoLogout'];
export type SsoSettings = components['schemas']['SsoSettings'];
export type SsoSettingsJit = components['schemas']['SsoSettingsJit'];
export type SsoSettingsJitInput = components['schemas']['SsoSettingsJitInput'];
export type SsoSettingsPatch = components['schemas']['SsoSettingsPatch'];
export type SsoSettingsProvider = components['schemas']['SsoSettingsProvider'];
export type SsoSettingsProviderInput = components['schemas']['SsoSettingsProviderInput'];
export type SsoSettingsProviderRoleMap = components['schemas']['SsoSettingsProviderRoleMap'];
export type StakeholderRole = components['schemas']['StakeholderRole'];
export type StakeholderRoleCreate = components['schemas']['StakeholderRoleCreate'];
export type StakeholderRolePage = components['schemas']['StakeholderRolePage'];
export type StakeholderRolePatch = components['schemas']['StakeholderRolePatch'];
export type StakeholdersReport = components['schemas']['StakeholdersReport'];
export type StakeholdersReportByRole = components['schemas']['StakeholdersReportByRole'];
export type StakeholdersReportByType = components['schemas']['StakeholdersReportByType'];
export type StakeholdersReportByUser = components['schemas']['StakeholdersReportByUser'];
export type StakeholdersReportByUserRole = components['schemas']['StakeholdersReportByUserRole'];
export type StakeholdersReportWithout = components['schemas']['StakeholdersReportWithout'];
export type StoredSecret = components['schemas']['StoredSecret'];
export type StreamTicket = components['schemas']['StreamTicket'];
export type Tag = components['schemas']['Tag'];
export type TagCreate = components['schemas']['TagCreate'];
export type TagGroup = components['schemas']['TagGroup'];
export type TagGroupCreate = components['schemas']['TagGroupCreate'];
export type TagGroupPage = components['schemas']['TagGroupPage'];
export type TagGroupPatch = components['schemas']['TagGroupPatch'];
export type TagPage = components['schemas']['TagPage'];
export type TagPatch = components['schemas']['TagPatch'];
export type TestCmdbsyncConnectionResult = components['schemas']['TestCmdbsyncConnectionResult'];
export type TestSsoSettingsBody = components['schemas']['TestSsoSettingsBody'];
export type Token = components['schemas']['Token'];
export type TokenCreate = components['schemas']['TokenCreate'];
export type TokenPage = components['schemas']['TokenPage'];
export type UploadBpmVersionBody = components['schemas']['UploadBpmVersionBody'];
export type User = components['schemas']['User'];
export type UserCreate = components['schemas']['UserCreate'];
export type UserDirectoryEntry = components['schemas']['UserDirectoryEntry'];
export type UserDirectoryPage = components['schemas']['UserDirectoryPage'];
export type UserIdentity = components['schemas']['UserIdentity'];
export type UserIdentityPage = components['schemas']['UserIdentityPage'];
export type UserPage = components['schemas']['UserPage'];
export type UserPatch = components['schemas']['UserPatch'];
export type UserPermission = components['schemas']['UserPermission'];
export type UserPermissionPage = components['schemas']['UserPermissionPage'];
export type Webhook = components['schemas']['Webhook'];
export type WebhookCondition = components['schemas']['WebhookCondition'];
export type WebhookCreate = components['schemas']['WebhookCreate'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookDeliveryItem = components['schemas']['WebhookDeliveryItem'];
export type WebhookDeliveryLastAttempt = components['schemas']['WebhookDeliveryLastAttempt'];
export type WebhookDeliveryLog = components['schemas']['WebhookDeliveryLog'];
export type WebhookDeliveryPage = components['schemas']['WebhookDeliveryPage'];
export type WebhookOwner = components['schemas']['WebhookOwner'];
export type WebhookPage = components['schemas']['WebhookPage'];
export type WebhookPatch = components['schemas']['WebhookPatch'];
export type WebhookSecret = components['schemas']['WebhookSecret'];
export type WebhookStatus = components['schemas']['WebhookStatus'];
export type WebhookWithSecret = components['schemas']['WebhookWithSecret'];
export type ParameterIfMatch = components['parameters']['IfMatch'];
export type ParameterIfMatchRequired = components['parameters']['IfMatchRequired'];
export type ParameterIdempotencyKey = components['parameters']['IdempotencyKey'];
export type ParameterId = components['parameters']['Id'];
export type ParameterPage = components['parameters']['Page'];
export type ParameterCursor = components['parameters']['Cursor'];
export type ParameterSortDir = components['parameters']['SortDir'];
export type ParameterPageSize = components['parameters']['PageSize'];
export type ParameterTotal = components['parameters']['Total'];
export type $defs = Record<string, never>;
export interface operations {
  register: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["RegisterBody"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["AcceptInvitationResult"];
        };
      };
    };
  };
  login: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["LoginBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AcceptInvitationResult"];
        };
      };
    };
  };
  refresh: {
    requestBody?: {
      content: {
        "application/json": components["schemas"]["RefreshBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AcceptInvitationResult"];
        };
      };
    };
  };
  logout: {
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  getMe: {
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Me"];
        };
      };
    };
  };
  updateMe: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["MePatch"];
        "application/merge-patch+json": components["schemas"]["MePatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Me"];
        };
      };
    };
  };
  changePassword: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["ChangePasswordBody"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  listSessions: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of created_at, last_used_at; `id` breaks ties. */
        sort_by?: "created_at" | "last_used_at";
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SessionPage"];
        };
      };
    };
  };
  endSession: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  listTokens: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of name, created_at, expires_at, last_used_at; `id` breaks ties. */
        sort_by?: "name" | "created_at" | "expires_at" | "last_used_at";
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["TokenPage"];
        };
      };
    };
  };
  createToken: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["TokenCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["CreateTokenResult"];
        };
      };
    };
  };
  getToken: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Token"];
        };
      };
    };
  };
  revokeToken: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Revoked. */
      204: {
        content?: never;
      };
    };
  };
  acceptInvitation: {
    /** @description `display_name` is required if the invitation has none. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["AcceptInvitationBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AcceptInvitationResult"];
        };
      };
    };
  };
  forgotPassword: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["ForgotPasswordBody"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  resetPassword: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["ResetPasswordBody"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  getEmailChange: {
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["EmailChange"];
        };
      };
    };
  };
  requestEmailChange: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["RequestEmailChangeBody"];
      };
    };
    responses: {
      /** @description Accepted; processing continues in the background. */
      202: {
        content: {
          "application/json": components["schemas"]["EmailChange"];
        };
      };
    };
  };
  withdrawEmailChange: {
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  confirmEmailChange: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["ConfirmEmailChangeBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ConfirmEmailChangeResult"];
        };
      };
    };
  };
  withdrawEmailChangeByLink: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["ConfirmEmailChangeBody"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  listUsers: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of display_name, email, created_at, last_login_at; `id` breaks ties. */
        sort_by?: "display_name" | "email" | "created_at" | "last_login_at";
        /** @description Part of the name or the e-mail address. */
        search?: string;
        /** @description Any of these roles, comma separated. */
        role?: string;
        /** @description A service account logs in with a local password also where single sign-on is enforced. */
        kind?: "person" | "service";
        is_active?: boolean;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["UserPage"];
        };
      };
    };
  };
  createUser: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UserCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
    };
  };
  listUserDirectory: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of display_name; `id` breaks ties. */
        sort_by?: "display_name";
        /** @description Part of the name. */
        search?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["UserDirectoryPage"];
        };
      };
    };
  };
  getUser: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
    };
  };
  deleteUser: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Deleted. */
      204: {
        content?: never;
      };
    };
  };
  updateUser: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["UserPatch"];
        "application/merge-patch+json": components["schemas"]["UserPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
    };
  };
  unlockUser: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Unlocked. */
      204: {
        content?: never;
      };
    };
  };
  listInvitations: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of created_at, email, expires_at; `id` breaks ties. */
        sort_by?: "created_at" | "email" | "expires_at";
        /** @description Any of these, comma separated. */
        status?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InvitationPage"];
        };
      };
    };
  };
  createInvitation: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["InvitationCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Invitation"];
        };
      };
    };
  };
  resendInvitation: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Invitation"];
        };
      };
    };
  };
  withdrawInvitation: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  getSsoConfig: {
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SsoConfig"];
        };
      };
    };
  };
  beginSso: {
    parameters: {
      query?: {
        /** @description A path below PUBLIC_URL, or an address there or on an origin of ALLOWED_ORIGINS, without a fragment. Default: PUBLIC_URL. */
        return_to?: string;
        /** @description Of a client on another origin than the service: SHA-256 in base64url of the `code_verifier` that it sends with the code. Other clients send the cookie that this response sets. */
        code_challenge?: string;
      };
      path: {
        /** @description Id of a provider of `GET /auth/sso/config`. */
        provider: string;
      };
    };
    responses: never;
  };
  completeSso: {
    parameters: {
      query: {
        /** @description As sent to the provider. */
        state: string;
        /** @description The authorization code. */
        code?: string;
        /** @description Issuer (RFC 9207); required of providers that announce it. */
        iss?: string;
        /** @description Of the provider. */
        error?: string;
      };
    };
    responses: never;
  };
  exchangeSsoCode: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["ExchangeSsoCodeBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AcceptInvitationResult"];
        };
      };
    };
  };
  getSsoLogout: {
    parameters: {
      query?: {
        /** @description A path below PUBLIC_URL, or an address there or on an origin of ALLOWED_ORIGINS, without a fragment. Default: PUBLIC_URL. */
        return_to?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SsoLogout"];
        };
      };
    };
  };
  listUserIdentities: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of created_at, last_login_at; `id` breaks ties. */
        sort_by?: "created_at" | "last_login_at";
      };
      path: {
        user_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["UserIdentityPage"];
        };
      };
    };
  };
  linkUserIdentity: {
    parameters: {
      path: {
        user_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["LinkUserIdentityBody"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["UserIdentity"];
        };
      };
    };
  };
  unlinkUserIdentity: {
    parameters: {
      path: {
        user_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Unlinked. */
      204: {
        content?: never;
      };
    };
  };
  listUserTokens: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of name, created_at, expires_at, last_used_at; `id` breaks ties. */
        sort_by?: "name" | "created_at" | "expires_at" | "last_used_at";
      };
      path: {
        user_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["TokenPage"];
        };
      };
    };
  };
  createUserToken: {
    parameters: {
      path: {
        user_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TokenCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["CreateTokenResult"];
        };
      };
    };
  };
  revokeUserToken: {
    parameters: {
      path: {
        user_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Revoked. */
      204: {
        content?: never;
      };
    };
  };
  listRoles: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of label, key, created_at; `id` breaks ties. */
        sort_by?: "label" | "key" | "created_at";
        /** @description Part of the label or the key. */
        search?: string;
        is_archived?: boolean;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RolePage"];
        };
      };
    };
  };
  createRole: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RoleCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Role"];
        };
      };
    };
  };
  listPermissions: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of key, owner; `id` breaks ties. */
        sort_by?: "key" | "owner";
        /** @description `application`: granted by a role. `card`: granted by a stakeholder role on its card. */
        scope?: "application" | "card";
        owner?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PermissionPage"];
        };
      };
    };
  };
  getRole: {
    parameters: {
      path: {
        key: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Role"];
        };
      };
    };
  };
  updateRole: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        key: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RolePatch"];
        "application/merge-patch+json": components["schemas"]["RolePatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Role"];
        };
      };
    };
  };
  archiveRole: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        key: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Role"];
        };
      };
    };
  };
  restoreRole: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        key: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Role"];
        };
      };
    };
  };
  explainPermission: {
    parameters: {
      query: {
        user_id: string;
        /** @description A key of `GET /roles/permissions`; one with the scope `card` needs `card_id`. */
        permission: string;
        /** @description Explains it for this card. */
        card_id?: string;
        /** @description Explains it for cards of this type, by the role alone. */
        card_type?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ExplainPermissionResult"];
        };
      };
    };
  };
  listUserPermissions: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of permission; `id` breaks ties. */
        sort_by?: "permission";
      };
      path: {
        user_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["UserPermissionPage"];
        };
      };
    };
  };
  listStakeholderRoles: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of key, label; `id` breaks ties. */
        sort_by?: "key" | "label";
      };
      path: {
        key: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["StakeholderRolePage"];
        };
      };
    };
  };
  createStakeholderRole: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        key: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["StakeholderRoleCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["StakeholderRole"];
        };
      };
    };
  };
  getStakeholderRole: {
    parameters: {
      path: {
        key: string;
        role: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["StakeholderRole"];
        };
      };
    };
  };
  deleteStakeholderRole: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        key: string;
        role: string;
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateStakeholderRole: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        key: string;
        role: string;
      };
    };
    /** @description JSON Merge Patch. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["StakeholderRolePatch"];
        "application/merge-patch+json": components["schemas"]["StakeholderRolePatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["StakeholderRole"];
        };
      };
    };
  };
  listTagGroups: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of name, created_at, updated_at; `id` breaks ties. */
        sort_by?: "name" | "created_at" | "updated_at";
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["TagGroupPage"];
        };
      };
    };
  };
  createTagGroup: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TagGroupCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["TagGroup"];
        };
      };
    };
  };
  getTagGroup: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["TagGroup"];
        };
      };
    };
  };
  deleteTagGroup: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateTagGroup: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    /** @description JSON Merge Patch. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["TagGroupPatch"];
        "application/merge-patch+json": components["schemas"]["TagGroupPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["TagGroup"];
        };
      };
    };
  };
  listTags: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of name, created_at, updated_at; `id` breaks ties. */
        sort_by?: "name" | "created_at" | "updated_at";
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["TagPage"];
        };
      };
    };
  };
  createTag: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["TagCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Tag"];
        };
      };
    };
  };
  getTag: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
        tag_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Tag"];
        };
      };
    };
  };
  deleteTag: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
        tag_id: string;
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateTag: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
        tag_id: string;
      };
    };
    /** @description JSON Merge Patch. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["TagPatch"];
        "application/merge-patch+json": components["schemas"]["TagPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Tag"];
        };
      };
    };
  };
  listCardTypes: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of sort_order, key, label; `id` breaks ties. */
        sort_by?: "sort_order" | "key" | "label";
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardTypePage"];
        };
      };
    };
  };
  createCardType: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CardTypeCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["CardType"];
        };
      };
    };
  };
  getCardType: {
    parameters: {
      path: {
        key: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardType"];
        };
      };
    };
  };
  deleteCardType: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        key: string;
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateCardType: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        key: string;
      };
    };
    /** @description JSON Merge Patch; lists are replaced as a whole. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["CardTypePatch"];
        "application/merge-patch+json": components["schemas"]["CardTypePatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardType"];
        };
      };
    };
  };
  getCardTypeUsage: {
    parameters: {
      path: {
        key: string;
      };
    };
    responses: {
      /** @description Archived cards are included, because they can be restored. */
      200: {
        content: {
          "application/json": components["schemas"]["CardTypeUsage"];
        };
      };
    };
  };
  listRelationTypes: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of sort_order, key, label; `id` breaks ties. */
        sort_by?: "sort_order" | "key" | "label";
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RelationTypePage"];
        };
      };
    };
  };
  createRelationType: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RelationTypeCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["RelationType"];
        };
      };
    };
  };
  getRelationType: {
    parameters: {
      path: {
        key: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RelationType"];
        };
      };
    };
  };
  deleteRelationType: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        key: string;
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateRelationType: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        key: string;
      };
    };
    /** @description JSON Merge Patch; lists are replaced as a whole. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["RelationTypePatch"];
        "application/merge-patch+json": components["schemas"]["RelationTypePatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RelationType"];
        };
      };
    };
  };
  listMetamodelRevisions: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of revision; `id` breaks ties. */
        sort_by?: "revision";
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["MetamodelRevisionPage"];
        };
      };
    };
  };
  listCards: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `exact` counts all hits, `none` no hits: `total` is then null. Otherwise lists with other filters than type, subtype, status or approval are counted up to 10,000. */
        total?: "exact" | "none";
        /** @description One of name, type, subtype, status, approval_status, data_quality, created_at, updated_at, attributes.<key>, or relevance with `search`; `id` breaks ties. */
        sort_by?: string;
        /** @description Card types, comma separated: any of. */
        type?: string;
        subtype?: string;
        /** @description `true`: cards without a subtype; `false`: cards with one. */
        "subtype[empty]"?: boolean;
        /** @description ACTIVE (default), ARCHIVED, or both. */
        status?: string;
        /** @description DRAFT, APPROVED, REJECTED, BROKEN. */
        approval_status?: string;
        /** @description Any of the phases that `lifecycle_phase` of the card shows today (UTC); `none` for cards where it is null. */
        lifecycle_phase?: string;
        /** @description Cards whose score, as shown to the caller, is at least this number. */
        "data_quality[gte]"?: number;
        /** @description Cards whose score, as shown to the caller, is less than this number. */
        "data_quality[lt]"?: number;
        /** @description Children of a card, or `null` for cards without a parent. */
        parent_id?: string;
        /** @description The whole subtree of a card, including the card. */
        root_id?: string;
        tag?: string;
        /** @description Cards on which the user has a stakeholder role; `me` for the caller. For other users `stakeholders.view` is required. */
        stakeholder_id?: string;
        /** @description Cards on which a user has any of these stakeholder roles; with `stakeholder_id`, one of those users. Requires `stakeholders.view`, except with `stakeholder_id=me`. */
        stakeholder_role?: string;
        /** @description Cards on which no user has any of these stakeholder roles; `any` for cards without stakeholders. Requires `stakeholders.view`. */
        "stakeholder_role[empty]"?: string;
        /** @description Cards with a relation to any of these cards, see `relation_type` and `direction`. */
        related_to?: string;
        /** @description The same with the cards of the subtrees of these cards, including them. */
        related_root_id?: string;
        /** @description Only relations of these types for `related_to` and `related_root_id`, one of which is required. */
        relation_type?: string;
        /** @description Cards with at least one relation of any of these types, or `none` for cards without relations. As everywhere, only relations between active cards that the caller may see count. */
        has_relation?: string;
        /** @description Cards without a relation of any of these types. */
        lacks_relation?: string;
        /** @description Direction of the relations of the filters above, as seen from the listed card: `outgoing` means that it is the source. Default: both. */
        direction?: "outgoing" | "incoming" | "both";
        ids?: string;
        external_id?: string;
        /** @description Cards created at this time or later. */
        created_since?: string;
        /** @description Cards created before this time. */
        created_before?: string;
        /** @description Cards last changed at this time or later. */
        updated_since?: string;
        /** @description Cards last changed before this time. */
        updated_before?: string;
        /** @description Every word must match: as a prefix of a word in name, alias, external id or description, or as a part of name or alias. */
        search?: string;
        /** @description Only these members of a card, comma separated; attributes.<key> for one attribute. `id` is always included. */
        fields?: string;
        /** @description Adds further data, comma separated: `relations` of the card in both directions, its `parent`, its active `children`, and its `stakeholders`, which are otherwise subject to `fields`. In a list, `page_size` is then at most 50. */
        expand?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardPage"];
        };
      };
    };
  };
  createCard: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CardCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Card"];
        };
      };
    };
  };
  getCardFacets: {
    parameters: {
      query?: {
        /** @description Card types, comma separated: any of. */
        type?: string;
        subtype?: string;
        /** @description `true`: cards without a subtype; `false`: cards with one. */
        "subtype[empty]"?: boolean;
        /** @description ACTIVE (default), ARCHIVED, or both. */
        status?: string;
        /** @description DRAFT, APPROVED, REJECTED, BROKEN. */
        approval_status?: string;
        /** @description Any of the phases that `lifecycle_phase` of the card shows today (UTC); `none` for cards where it is null. */
        lifecycle_phase?: string;
        /** @description Cards whose score, as shown to the caller, is at least this number. */
        "data_quality[gte]"?: number;
        /** @description Cards whose score, as shown to the caller, is less than this number. */
        "data_quality[lt]"?: number;
        /** @description Children of a card, or `null` for cards without a parent. */
        parent_id?: string;
        /** @description The whole subtree of a card, including the card. */
        root_id?: string;
        tag?: string;
        /** @description Cards on which the user has a stakeholder role; `me` for the caller. For other users `stakeholders.view` is required. */
        stakeholder_id?: string;
        /** @description Cards on which a user has any of these stakeholder roles; with `stakeholder_id`, one of those users. Requires `stakeholders.view`, except with `stakeholder_id=me`. */
        stakeholder_role?: string;
        /** @description Cards on which no user has any of these stakeholder roles; `any` for cards without stakeholders. Requires `stakeholders.view`. */
        "stakeholder_role[empty]"?: string;
        /** @description Cards with a relation to any of these cards, see `relation_type` and `direction`. */
        related_to?: string;
        /** @description The same with the cards of the subtrees of these cards, including them. */
        related_root_id?: string;
        /** @description Only relations of these types for `related_to` and `related_root_id`, one of which is required. */
        relation_type?: string;
        /** @description Cards with at least one relation of any of these types, or `none` for cards without relations. As everywhere, only relations between active cards that the caller may see count. */
        has_relation?: string;
        /** @description Cards without a relation of any of these types. */
        lacks_relation?: string;
        /** @description Direction of the relations of the filters above, as seen from the listed card: `outgoing` means that it is the source. Default: both. */
        direction?: "outgoing" | "incoming" | "both";
        ids?: string;
        external_id?: string;
        /** @description Cards created at this time or later. */
        created_since?: string;
        /** @description Cards created before this time. */
        created_before?: string;
        /** @description Cards last changed at this time or later. */
        updated_since?: string;
        /** @description Cards last changed before this time. */
        updated_before?: string;
        /** @description Every word must match: as a prefix of a word in name, alias, external id or description, or as a part of name or alias. */
        search?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardFacets"];
        };
      };
    };
  };
  getCardHierarchy: {
    parameters: {
      query?: {
        /** @description Levels below the card. */
        depth?: number;
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardHierarchy"];
        };
      };
    };
  };
  getCard: {
    parameters: {
      query?: {
        /** @description Adds further data, comma separated: `relations` of the card in both directions, its `parent`, its active `children`, and its `stakeholders`, which are otherwise subject to `fields`. In a list, `page_size` is then at most 50. */
        expand?: string;
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Card"];
        };
      };
    };
  };
  deleteCard: {
    parameters: {
      query?: {
        /** @description What happens to the children: they are included, lose their parent, or move up to the parent of the card. */
        child_strategy?: "cascade" | "disconnect" | "reparent";
      };
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateCard: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CardPatch"];
        "application/merge-patch+json": components["schemas"]["CardPatch"];
        "application/json-patch+json": components["schemas"]["JsonPatchOperation"][];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Card"];
        };
      };
    };
  };
  bulkCards: {
    parameters: {
      query?: {
        /** @description Runs all checks and returns the full result without storing anything. */
        dry_run?: boolean;
      };
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CardBulk"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardBulkResult"];
        };
      };
    };
  };
  archiveCard: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ArchiveCardBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Card"];
        };
      };
    };
  };
  restoreCard: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Card"];
        };
      };
    };
  };
  getArchiveImpact: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ArchiveImpact"];
        };
      };
    };
  };
  decideCard: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DecideCardBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Card"];
        };
      };
    };
  };
  listCardStakeholders: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of role, display_name; `id` breaks ties. */
        sort_by?: "role" | "display_name";
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardStakeholderPage"];
        };
      };
    };
  };
  addCardStakeholder: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CardStakeholderCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["CardStakeholder"];
        };
      };
    };
  };
  getCardStakeholder: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
        sid: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardStakeholder"];
        };
      };
    };
  };
  removeCardStakeholder: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
        sid: string;
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  exportCards: {
    parameters: {
      query?: {
        /** @description csv: one column per field; xlsx: a workbook with the same columns, of at most 1,048,575 cards; ndjson: one card per line; json: an array of cards. */
        format?: "csv" | "ndjson" | "json" | "xlsx";
        /** @description Begins the CSV with a byte order mark, which some spreadsheets need to detect UTF-8. */
        bom?: boolean;
        /** @description Card types, comma separated: any of. */
        type?: string;
        subtype?: string;
        /** @description `true`: cards without a subtype; `false`: cards with one. */
        "subtype[empty]"?: boolean;
        /** @description ACTIVE (default), ARCHIVED, or both. */
        status?: string;
        /** @description DRAFT, APPROVED, REJECTED, BROKEN. */
        approval_status?: string;
        /** @description Any of the phases that `lifecycle_phase` of the card shows today (UTC); `none` for cards where it is null. */
        lifecycle_phase?: string;
        /** @description Cards whose score, as shown to the caller, is at least this number. */
        "data_quality[gte]"?: number;
        /** @description Cards whose score, as shown to the caller, is less than this number. */
        "data_quality[lt]"?: number;
        /** @description Children of a card, or `null` for cards without a parent. */
        parent_id?: string;
        /** @description The whole subtree of a card, including the card. */
        root_id?: string;
        tag?: string;
        /** @description Cards on which the user has a stakeholder role; `me` for the caller. For other users `stakeholders.view` is required. */
        stakeholder_id?: string;
        /** @description Cards on which a user has any of these stakeholder roles; with `stakeholder_id`, one of those users. Requires `stakeholders.view`, except with `stakeholder_id=me`. */
        stakeholder_role?: string;
        /** @description Cards on which no user has any of these stakeholder roles; `any` for cards without stakeholders. Requires `stakeholders.view`. */
        "stakeholder_role[empty]"?: string;
        /** @description Cards with a relation to any of these cards, see `relation_type` and `direction`. */
        related_to?: string;
        /** @description The same with the cards of the subtrees of these cards, including them. */
        related_root_id?: string;
        /** @description Only relations of these types for `related_to` and `related_root_id`, one of which is required. */
        relation_type?: string;
        /** @description Cards with at least one relation of any of these types, or `none` for cards without relations. As everywhere, only relations between active cards that the caller may see count. */
        has_relation?: string;
        /** @description Cards without a relation of any of these types. */
        lacks_relation?: string;
        /** @description Direction of the relations of the filters above, as seen from the listed card: `outgoing` means that it is the source. Default: both. */
        direction?: "outgoing" | "incoming" | "both";
        ids?: string;
        external_id?: string;
        /** @description Cards created at this time or later. */
        created_since?: string;
        /** @description Cards created before this time. */
        created_before?: string;
        /** @description Cards last changed at this time or later. */
        updated_since?: string;
        /** @description Cards last changed before this time. */
        updated_before?: string;
        /** @description Every word must match: as a prefix of a word in name, alias, external id or description, or as a part of name or alias. */
        search?: string;
      };
    };
    responses: {
      /** @description The cards. */
      200: {
        content: {
          "text/csv": string;
          "application/x-ndjson": components["schemas"]["Card"];
          "application/json": components["schemas"]["Card"][];
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
        };
      };
    };
  };
  getCardImpact: {
    parameters: {
      query?: {
        /** @description downstream follows relations from source to target, upstream from target to source. */
        direction?: "downstream" | "upstream" | "both";
        /** @description Maximum distance from the card, in relations. */
        depth?: number;
        /** @description Relation types to follow, comma-separated; default: all. */
        relation_type?: string;
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardImpact"];
        };
      };
    };
  };
  listCardSections: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of id, title; `id` breaks ties. */
        sort_by?: "id" | "title";
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardSectionPage"];
        };
      };
    };
  };
  listCardHistory: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of at; `id` breaks ties. */
        sort_by?: "at";
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardHistoryPage"];
        };
      };
    };
  };
  getCardPermissions: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardPermissions"];
        };
      };
    };
  };
  listCardComments: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of created_at; `id` breaks ties. */
        sort_by?: "created_at";
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardCommentPage"];
        };
      };
    };
  };
  createCardComment: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CardCommentCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["CardComment"];
        };
      };
    };
  };
  getCardComment: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
        cid: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardComment"];
        };
      };
    };
  };
  deleteCardComment: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
        cid: string;
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateCardComment: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
        cid: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CardCommentPatch"];
        "application/merge-patch+json": components["schemas"]["CardCommentPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardComment"];
        };
      };
    };
  };
  listCardDocuments: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of name, link_type, created_at; `id` breaks ties. */
        sort_by?: "name" | "link_type" | "created_at";
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardDocumentPage"];
        };
      };
    };
  };
  createCardDocument: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CardDocumentCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["CardDocument"];
        };
      };
    };
  };
  getCardDocument: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
        did: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardDocument"];
        };
      };
    };
  };
  deleteCardDocument: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
        did: string;
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateCardDocument: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
        did: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CardDocumentPatch"];
        "application/merge-patch+json": components["schemas"]["CardDocumentPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardDocument"];
        };
      };
    };
  };
  listCardTags: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of name, group; `id` breaks ties. */
        sort_by?: "name" | "group";
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardTagPage"];
        };
      };
    };
  };
  replaceCardTags: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CardTagsReplacement"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardTagPage"];
        };
      };
    };
  };
  listOwnTodos: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of due_date, created_at; `id` breaks ties. */
        sort_by?: "due_date" | "created_at";
        status?: "open" | "done";
        /** @description Due on this day or later. */
        due_from?: string;
        /** @description Due on this day or earlier. */
        due_until?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["OwnTodoPage"];
        };
      };
    };
  };
  listCardTodos: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of due_date, created_at; `id` breaks ties. */
        sort_by?: "due_date" | "created_at";
        status?: "open" | "done";
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardTodoPage"];
        };
      };
    };
  };
  createCardTodo: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CardTodoCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["CardTodo"];
        };
      };
    };
  };
  getCardTodo: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
        tid: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardTodo"];
        };
      };
    };
  };
  deleteCardTodo: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
        tid: string;
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateCardTodo: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
        tid: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CardTodoPatch"];
        "application/merge-patch+json": components["schemas"]["CardTodoPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardTodo"];
        };
      };
    };
  };
  listRelations: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null. Otherwise all hits are counted, as with `exact`. */
        total?: "exact" | "none";
        /** @description One of created_at, updated_at, type; `id` breaks ties. */
        sort_by?: "created_at" | "updated_at" | "type";
        /** @description Relation types, comma separated: any of. */
        type?: string;
        /** @description Relations at either end of a card. */
        card_id?: string;
        source_id?: string;
        target_id?: string;
        /** @description As seen from `card_id`. */
        direction?: "outgoing" | "incoming" | "both";
        /** @description Relations whose source is in the subtree of any of these cards, including these. */
        source_root_id?: string;
        /** @description Relations whose target is in the subtree of any of these cards, including these. */
        target_root_id?: string;
        /** @description Card types of the source, comma separated: any of. */
        source_type?: string;
        /** @description Card types of the target, comma separated: any of. */
        target_type?: string;
        /** @description Adds further data, comma separated: `source_card` and `target_card`, the whole cards at the ends as `GET /cards/{id}` returns them. In a list, `page_size` is then at most 50. */
        expand?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RelationPage"];
        };
      };
    };
  };
  createRelation: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RelationCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Relation"];
        };
      };
    };
  };
  bulkRelations: {
    parameters: {
      query?: {
        /** @description All checks and the full result; nothing is stored. */
        dry_run?: boolean;
      };
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RelationBulk"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RelationBulkResult"];
        };
      };
    };
  };
  getRelation: {
    parameters: {
      query?: {
        /** @description Adds further data, comma separated: `source_card` and `target_card`, the whole cards at the ends as `GET /cards/{id}` returns them. In a list, `page_size` is then at most 50. */
        expand?: string;
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Relation"];
        };
      };
    };
  };
  deleteRelation: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateRelation: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    /** @description JSON Merge Patch; type and ends do not change. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["RelationPatch"];
        "application/merge-patch+json": components["schemas"]["RelationPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Relation"];
        };
      };
    };
  };
  listImports: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of created_at, file_name, state; `id` breaks ties. */
        sort_by?: "created_at" | "file_name" | "state";
        /** @description Any of these states, comma separated. */
        state?: string;
        /** @description Any of these formats, comma separated. */
        format?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["FileImportPage"];
        };
      };
    };
  };
  createImport: {
    parameters: {
      query?: {
        /** @description Card type of rows without one. */
        type?: string;
        /** @description Delimiter of a table; detected when absent. */
        delimiter?: "," | ";" | "tab";
        /** @description The effect of an empty cell on an existing card: none (keep, the default), or removing the value (clear). */
        empty?: "keep" | "clear";
        /** @description Ignores unknown columns and keys instead of failing. */
        ignore_unknown?: boolean;
        /** @description Format of the file: csv, ndjson, archimate, or that of a module; detected from its content type or name when absent. */
        format?: string;
        file_name?: string;
      };
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "multipart/form-data": components["schemas"]["ImportCreate"];
        "text/csv": string;
        "application/x-ndjson": string;
        "application/xml": string;
      };
    };
    responses: {
      /** @description Accepted; processing continues in the background. */
      202: {
        content: {
          "application/json": components["schemas"]["FileImport"];
        };
      };
    };
  };
  listImportFormats: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of id, title; `id` breaks ties. */
        sort_by?: "id" | "title";
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ImportFormatPage"];
        };
      };
    };
  };
  getImport: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["FileImport"];
        };
      };
    };
  };
  deleteImport: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  listImportRows: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of row; `id` breaks ties. */
        sort_by?: "row";
        /** @description Any of these verdicts, comma separated. */
        verdict?: string;
        kind?: "card" | "relation";
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ImportRowPage"];
        };
      };
    };
  };
  applyImport: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Accepted; processing continues in the background. */
      202: {
        content: {
          "application/json": components["schemas"]["FileImport"];
        };
      };
    };
  };
  listEvents: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of id; `id` breaks ties. */
        sort_by?: "id";
        /** @description Comma-separated types; one that ends in a dot is a prefix: `card.` matches every type of card events. */
        type?: string;
        /** @description Id of the subject of the events. */
        subject_id?: string;
        /** @description Id of the user who caused it. */
        actor_id?: string;
        /** @description Id of the API token by which it was caused. */
        token_id?: string;
        origin?: string;
        /** @description Events at or after this time. */
        since?: string;
        /** @description Events before this time. */
        until?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["EventPage"];
        };
      };
    };
  };
  listEventTypes: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of type, kind; `id` breaks ties. */
        sort_by?: "type" | "kind";
        /** @description Kind of the subject. */
        kind?: string;
        /** @description Id of a module, or `core`. */
        module?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["EventTypePage"];
        };
      };
    };
  };
  getEvent: {
    parameters: {
      path: {
        /** @description Position in the event log. */
        id: number;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Event"];
        };
      };
    };
  };
  createStreamTicket: {
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["StreamTicket"];
        };
      };
    };
  };
  streamEvents: {
    parameters: {
      query?: {
        /** @description In place of a bearer token, where none can be sent: of POST /events/stream-ticket. */
        ticket?: string;
        /** @description Comma-separated types; one that ends in a dot is a prefix: `card.` matches every type of card events. */
        types?: string;
        /** @description Id of the subject of the events. */
        subject_id?: string;
        /** @description Resumes after this position, for clients that cannot send the Last-Event-ID header. */
        last_event_id?: string;
      };
    };
    responses: {
      /** @description A stream that stays open. */
      200: {
        content: {
          "text/event-stream": string;
        };
      };
    };
  };
  listWebhooks: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of created_at, updated_at, name, url; `id` breaks ties. */
        sort_by?: "created_at" | "updated_at" | "name" | "url";
        is_active?: boolean;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["WebhookPage"];
        };
      };
    };
  };
  createWebhook: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["WebhookCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["WebhookWithSecret"];
        };
      };
    };
  };
  getWebhook: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Webhook"];
        };
      };
    };
  };
  deleteWebhook: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateWebhook: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["WebhookPatch"];
        "application/merge-patch+json": components["schemas"]["WebhookPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Webhook"];
        };
      };
    };
  };
  rotateWebhookSecret: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["WebhookWithSecret"];
        };
      };
    };
  };
  testWebhook: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ConnectionResult"];
        };
      };
    };
  };
  listWebhookDeliveries: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of created_at; `id` breaks ties. */
        sort_by?: "created_at";
        /** @description Any of these states, comma separated. */
        state?: string;
        /** @description An event type, or a prefix of types that ends in a dot. */
        type?: string;
        subject_id?: string;
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["WebhookDeliveryPage"];
        };
      };
    };
  };
  getWebhookDelivery: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
        did: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["WebhookDelivery"];
        };
      };
    };
  };
  redeliverWebhookDelivery: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
        did: string;
      };
    };
    responses: {
      /** @description Accepted; processing continues in the background. */
      202: {
        content: {
          "application/json": components["schemas"]["WebhookDelivery"];
        };
      };
    };
  };
  listNotifications: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of created_at, updated_at; `id` breaks ties. */
        sort_by?: "created_at" | "updated_at";
        /** @description `true`: only unread; `false`: only read. */
        unread?: boolean;
        /** @description Any of these kinds, comma separated. */
        kind?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["NotificationPage"];
        };
      };
    };
  };
  countUnreadNotifications: {
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CountUnreadNotificationsResult"];
        };
      };
    };
  };
  readAllNotifications: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ReadAllNotificationsBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ReadAllNotificationsResult"];
        };
      };
    };
  };
  getNotificationPreferences: {
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["NotificationPreferences"];
        };
      };
    };
  };
  updateNotificationPreferences: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["NotificationPreferencesPatch"];
        "application/merge-patch+json": components["schemas"]["NotificationPreferencesPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["NotificationPreferences"];
        };
      };
    };
  };
  getNotification: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Notification"];
        };
      };
    };
  };
  readNotification: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Notification"];
        };
      };
    };
  };
  getLogo: {
    responses: {
      /** @description The image. */
      200: {
        content: {
          "image/png": string;
          "image/jpeg": string;
          "image/webp": string;
          "image/gif": string;
          "image/svg+xml": string;
        };
      };
    };
  };
  setLogo: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
    };
    requestBody: {
      content: {
        "image/png": string;
        "image/jpeg": string;
        "image/webp": string;
        "image/gif": string;
        "image/svg+xml": string;
        "application/octet-stream": string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Logo"];
        };
      };
    };
  };
  deleteLogo: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  getSmtpSettings: {
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SmtpSettings"];
        };
      };
    };
  };
  updateSmtpSettings: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SmtpSettingsPatch"];
        "application/merge-patch+json": components["schemas"]["SmtpSettingsPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SmtpSettings"];
        };
      };
    };
  };
  testSmtpSettings: {
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ConnectionResult"];
        };
      };
    };
  };
  getSsoSettings: {
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SsoSettings"];
        };
      };
    };
  };
  updateSsoSettings: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SsoSettingsPatch"];
        "application/merge-patch+json": components["schemas"]["SsoSettingsPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SsoSettings"];
        };
      };
    };
  };
  testSsoSettings: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["TestSsoSettingsBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ConnectionResult"];
        };
      };
    };
  };
  getAiSettings: {
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AiSettings"];
        };
      };
    };
  };
  updateAiSettings: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AiSettingsPatch"];
        "application/merge-patch+json": components["schemas"]["AiSettingsPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AiSettings"];
        };
      };
    };
  };
  testAiSettings: {
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ConnectionResult"];
        };
      };
    };
  };
  getAiUsage: {
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AiUsage"];
        };
      };
    };
  };
  listAiCalls: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of created_at; `id` breaks ties. */
        sort_by?: "created_at";
        module?: string;
        state?: "open" | "done" | "failed";
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AiCallPage"];
        };
      };
    };
  };
  getAiCall: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AiCallDetail"];
        };
      };
    };
  };
  getSettings: {
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Settings"];
        };
      };
    };
  };
  updateSettings: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SettingsPatch"];
        "application/merge-patch+json": components["schemas"]["SettingsPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Settings"];
        };
      };
    };
  };
  listModules: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of id, title, state; `id` breaks ties. */
        sort_by?: "id" | "title" | "state";
        /** @description Any of these states, comma separated. */
        state?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ModulePage"];
        };
      };
    };
  };
  rescanModules: {
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InstallModuleResult"];
        };
      };
    };
  };
  installModule: {
    requestBody: {
      content: {
        "application/json": components["schemas"]["InstallModuleBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InstallModuleResult"];
        };
      };
    };
  };
  getModule: {
    parameters: {
      path: {
        /** @description Id of a module; name of a package that could not be loaded. */
        id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Module"];
        };
      };
    };
  };
  removeModule: {
    parameters: {
      query?: {
        /** @description The id of the module, repeated; a 422 without it. */
        confirm?: string;
      };
      header: {
        /** @description The ETag of the version to change; 428 without it or with `*`, and 412 if the resource has been changed. */
        "If-Match": components["parameters"]["IfMatchRequired"];
      };
      path: {
        /** @description Id of a module; name of a package that could not be loaded. */
        id: string;
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateModule: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        /** @description Id of a module; name of a package that could not be loaded. */
        id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ModulePatch"];
        "application/merge-patch+json": components["schemas"]["ModulePatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Module"];
        };
      };
    };
  };
  listModuleSubscriptions: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of name; `id` breaks ties. */
        sort_by?: "name";
      };
      path: {
        /** @description Id of a module; name of a package that could not be loaded. */
        id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ModuleSubscriptionPage"];
        };
      };
    };
  };
  listParkedEvents: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of parked_at; `id` breaks ties. */
        sort_by?: "parked_at";
      };
      path: {
        /** @description Id of a module; name of a package that could not be loaded. */
        id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ParkedEventPage"];
        };
      };
    };
  };
  retryParkedEvent: {
    parameters: {
      path: {
        /** @description Id of a module; name of a package that could not be loaded. */
        id: string;
        subscription: string;
        position: string;
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  listJobs: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of created_at, run_at, finished_at, type, state; `id` breaks ties. */
        sort_by?: "created_at" | "run_at" | "finished_at" | "type" | "state";
        /** @description Any of these states, comma separated. */
        state?: string;
        /** @description A type, or a prefix of types that ends in a dot. */
        type?: string;
        /** @description Created at or after this time. */
        since?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["JobPage"];
        };
      };
    };
  };
  summariseJobs: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of type, queued, due, running, failed; `id` breaks ties. */
        sort_by?: "type" | "queued" | "due" | "running" | "failed";
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["JobSummaryPage"];
        };
      };
    };
  };
  retryJobs: {
    parameters: {
      query?: {
        /** @description Returns the full result without storing anything. */
        dry_run?: boolean;
      };
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RetryJobsBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RetryJobsResult"];
        };
      };
    };
  };
  getJob: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Job"];
        };
      };
    };
  };
  cancelJob: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Job"];
        };
      };
    };
  };
  retryJob: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Job"];
        };
      };
    };
  };
  listSchedules: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of job, type, last_run_at, next_run_at; `id` breaks ties. */
        sort_by?: "job" | "type" | "last_run_at" | "next_run_at";
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SchedulePage"];
        };
      };
    };
  };
  runSchedule: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        job: string;
      };
    };
    responses: {
      /** @description Accepted; processing continues in the background. */
      202: {
        content: {
          "application/json": components["schemas"]["JobStatus"];
        };
      };
    };
  };
  getOwnJob: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["JobStatus"];
        };
      };
    };
  };
  cancelOwnJob: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["JobStatus"];
        };
      };
    };
  };
  listAdrs: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of number, title, created_at, updated_at; `id` breaks ties. */
        sort_by?: "number" | "title" | "created_at" | "updated_at";
        /** @description Any of these by comma: draft, in_review, signed, superseded. */
        status?: string;
        /** @description Decisions that concern the card. */
        card_id?: string;
        /** @description Decisions that name this one, or that it names. */
        related_to?: string;
        /** @description Decisions in review that the user has yet to sign. */
        awaiting?: string;
        /** @description Decisions imported from files of the collection. */
        source?: string;
        /** @description Written from, that day (UTC) included; of a revision, when it was begun. */
        created_from?: string;
        /** @description Written up to, that day (UTC) included. */
        created_to?: string;
        /** @description Every word must occur in the number, the title or a text. */
        search?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AdrPage"];
        };
      };
    };
  };
  createAdr: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AdrCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Adr"];
        };
      };
    };
  };
  getAdrGraph: {
    parameters: {
      query?: {
        /** @description Any of these by comma: draft, in_review, signed, superseded. */
        status?: string;
        /** @description Decisions that concern the card. */
        card_id?: string;
        /** @description Decisions that name this one, or that it names. */
        related_to?: string;
        /** @description Decisions in review that the user has yet to sign. */
        awaiting?: string;
        /** @description Decisions imported from files of the collection. */
        source?: string;
        /** @description Written from, that day (UTC) included; of a revision, when it was begun. */
        created_from?: string;
        /** @description Written up to, that day (UTC) included. */
        created_to?: string;
        /** @description Every word must occur in the number, the title or a text. */
        search?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AdrGraph"];
        };
      };
    };
  };
  getAdr: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Adr"];
        };
      };
    };
  };
  deleteAdr: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateAdr: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["AdrPatch"];
        "application/merge-patch+json": components["schemas"]["AdrPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Adr"];
        };
      };
    };
  };
  requestAdrSignatures: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RequestAdrSignaturesBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Adr"];
        };
      };
    };
  };
  signAdr: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["SignAdrBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Adr"];
        };
      };
    };
  };
  rejectAdr: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RejectAdrBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Adr"];
        };
      };
    };
  };
  recallAdr: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Adr"];
        };
      };
    };
  };
  reviseAdr: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Adr"];
        };
      };
    };
  };
  listAdrRevisions: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of revision; `id` breaks ties. */
        sort_by?: "revision";
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AdrRevisionPage"];
        };
      };
    };
  };
  getAdrMarkdown: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description The record. */
      200: {
        content: {
          "text/markdown": string;
        };
      };
    };
  };
  exportAdrs: {
    parameters: {
      query?: {
        /** @description Any of these by comma: draft, in_review, signed, superseded. */
        status?: string;
        /** @description Decisions that concern the card. */
        card_id?: string;
        /** @description Decisions that name this one, or that it names. */
        related_to?: string;
        /** @description Decisions in review that the user has yet to sign. */
        awaiting?: string;
        /** @description Decisions imported from files of the collection. */
        source?: string;
        /** @description Written from, that day (UTC) included; of a revision, when it was begun. */
        created_from?: string;
        /** @description Written up to, that day (UTC) included. */
        created_to?: string;
        /** @description Every word must occur in the number, the title or a text. */
        search?: string;
      };
    };
    responses: {
      /** @description The archive. */
      200: {
        content: {
          "application/zip": string;
        };
      };
    };
  };
  importAdrs: {
    parameters: {
      query?: {
        /** @description Names the collection the files are of, such as a repository: the same path in another collection is another decision. */
        source?: string;
        /** @description mapped, the default: accepted records are signed and superseded ones superseded, where the caller may sign and four eyes are off; draft: all are drafts. */
        status?: "mapped" | "draft";
        /** @description Returns the verdicts and stores nothing. */
        dry_run?: boolean;
      };
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "multipart/form-data": components["schemas"]["ImportAdrsBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ImportAdrsResult"];
        };
      };
    };
  };
  listCardAdrs: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of number, title, created_at, updated_at; `id` breaks ties. */
        sort_by?: "number" | "title" | "created_at" | "updated_at";
        /** @description Any of these by comma: draft, in_review, signed, superseded. */
        status?: string;
        /** @description Decisions that name this one, or that it names. */
        related_to?: string;
        /** @description Decisions in review that the user has yet to sign. */
        awaiting?: string;
        /** @description Decisions imported from files of the collection. */
        source?: string;
        /** @description Written from, that day (UTC) included; of a revision, when it was begun. */
        created_from?: string;
        /** @description Written up to, that day (UTC) included. */
        created_to?: string;
        /** @description Every word must occur in the number, the title or a text. */
        search?: string;
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AdrPage"];
        };
      };
    };
  };
  listBpmProcesses: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of name, element_count, overall, depth; `id` breaks ties. */
        sort_by?: "name" | "element_count" | "overall" | "depth";
        /** @description As in `GET /cards`. */
        search?: string;
        status?: "ACTIVE" | "ARCHIVED";
        /** @description Directly below this process; `none`: the highest ones. */
        parent_id?: string;
        /** @description Any of these by comma: published, pending, draft, none. */
        state?: string;
        /** @description Whether the process has an assessment. */
        assessed?: boolean;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmProcessPage"];
        };
      };
    };
  };
  getBpmProcess: {
    parameters: {
      path: {
        card_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmProcess"];
        };
      };
    };
  };
  getBpmAssessmentTrend: {
    parameters: {
      path: {
        card_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmAssessmentTrend"];
        };
      };
    };
  };
  listBpmVersions: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of revision, created_at, updated_at; `id` breaks ties. */
        sort_by?: "revision" | "created_at" | "updated_at";
        /** @description Any of these by comma: draft, pending, published, archived. */
        state?: string;
      };
      path: {
        card_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmVersionSummaryPage"];
        };
      };
    };
  };
  createBpmVersion: {
    parameters: {
      query?: {
        /** @description Of an uploaded version; default: the name of the process in the file. */
        title?: string;
        /** @description What this version changes. */
        comment?: string;
        /** @description Default: `process.bpmn`. */
        file_name?: string;
      };
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["BpmVersionCreate"];
        "application/xml": string;
        "text/xml": string;
        "application/bpmn+xml": string;
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["BpmVersion"];
        };
      };
    };
  };
  getBpmVersion: {
    parameters: {
      path: {
        card_id: string;
        version_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmVersion"];
        };
      };
    };
  };
  deleteBpmVersion: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        card_id: string;
        version_id: string;
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateBpmVersion: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
        version_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["BpmVersionPatch"];
        "application/merge-patch+json": components["schemas"]["BpmVersionPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmVersion"];
        };
      };
    };
  };
  listBpmProblems: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of position; `id` breaks ties. */
        sort_by?: "position";
        /** @description Any of these by comma: error, warning. */
        severity?: string;
      };
      path: {
        card_id: string;
        version_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmProblemPage"];
        };
      };
    };
  };
  getBpmVersionHistory: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
      };
      path: {
        card_id: string;
        version_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmVersionHistoryPage"];
        };
      };
    };
  };
  submitBpmVersion: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
        version_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ApproveBpmVersionBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmVersion"];
        };
      };
    };
  };
  withdrawBpmVersion: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
        version_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ApproveBpmVersionBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmVersion"];
        };
      };
    };
  };
  approveBpmVersion: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
        version_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["ApproveBpmVersionBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmVersion"];
        };
      };
    };
  };
  rejectBpmVersion: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
        version_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RejectBpmVersionBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmVersion"];
        };
      };
    };
  };
  uploadBpmVersion: {
    parameters: {
      query?: {
        /** @description Of an uploaded version; default: the name of the process in the file. */
        title?: string;
        /** @description What this version changes. */
        comment?: string;
        /** @description Default: `process.bpmn`. */
        file_name?: string;
      };
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
      };
    };
    requestBody: {
      content: {
        "multipart/form-data": components["schemas"]["UploadBpmVersionBody"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["BpmVersion"];
        };
      };
    };
  };
  getBpmFile: {
    parameters: {
      path: {
        card_id: string;
        version_id: string;
      };
    };
    responses: {
      /** @description The bytes of the file, unchanged. */
      200: {
        content: {
          "application/xml": string;
        };
      };
    };
  };
  setBpmFile: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        card_id: string;
        version_id: string;
      };
    };
    requestBody: {
      content: {
        "application/xml": string;
        "text/xml": string;
        "application/bpmn+xml": string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmVersion"];
        };
      };
    };
  };
  getBpmSvg: {
    parameters: {
      query?: {
        /** @description Id or index of a diagram of the file; default: that of the collaboration, otherwise the first one that is not empty. */
        diagram?: string;
        /** @description Pixels; default: the size of the diagram. */
        width?: number;
        theme?: "light" | "dark";
        /** @description Language of descriptions and legends, BCP 47; default: the first one of the workspace. */
        lang?: string;
      };
      path: {
        card_id: string;
        version_id: string;
      };
    };
    responses: {
      /** @description The drawing. */
      200: {
        content: {
          "image/svg+xml": string;
        };
      };
    };
  };
  getBpmPng: {
    parameters: {
      query?: {
        /** @description Id or index of a diagram of the file; default: that of the collaboration, otherwise the first one that is not empty. */
        diagram?: string;
        /** @description Pixels; default: the size of the diagram. */
        width?: number;
        theme?: "light" | "dark";
        /** @description Language of descriptions and legends, BCP 47; default: the first one of the workspace. */
        lang?: string;
      };
      path: {
        card_id: string;
        version_id: string;
      };
    };
    responses: {
      /** @description The drawing. */
      200: {
        content: {
          "image/png": string;
        };
      };
    };
  };
  getBpmDiff: {
    parameters: {
      query: {
        /** @description The version before: the answer says what has changed since. */
        with: string;
        format?: "json" | "svg";
        /** @description Id or index of a diagram of the file; default: that of the collaboration, otherwise the first one that is not empty. */
        diagram?: string;
        /** @description Pixels; default: the size of the diagram. */
        width?: number;
        theme?: "light" | "dark";
        /** @description Language of descriptions and legends, BCP 47; default: the first one of the workspace. */
        lang?: string;
      };
      path: {
        card_id: string;
        version_id: string;
      };
    };
    responses: {
      /** @description The changes, or the version with its changes marked. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmDiff"];
          "image/svg+xml": string;
        };
      };
    };
  };
  listBpmElements: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of position; `id` breaks ties. */
        sort_by?: "position";
        /** @description Default: the published version, otherwise the latest one. */
        version_id?: string;
        /** @description Any of these by comma: task, event, gateway, sub_process, call_activity, data_object, data_store, lane, participant. */
        kind?: string;
        /** @description Whether the element has links that the caller may see. */
        linked?: boolean;
        /** @description Linked with this card. */
        card_id?: string;
        /** @description Every word must occur in the name. */
        search?: string;
      };
      path: {
        card_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmElementPage"];
        };
      };
    };
  };
  getBpmElement: {
    parameters: {
      path: {
        card_id: string;
        element_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmElement"];
        };
      };
    };
  };
  setBpmElementLinks: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        card_id: string;
        element_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["BpmElementLinksReplacement"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmElement"];
        };
      };
    };
  };
  getBpmDashboardReport: {
    parameters: {
      query?: {
        /** @description Language of labels and numbers, BCP 47; default: the first one of the workspace. */
        lang?: string;
        /** @description An instant of the past. Not supported yet: 422. */
        as_of?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmDashboardReport"];
        };
      };
    };
  };
  getBpmProcessMapReport: {
    parameters: {
      query?: {
        /** @description Language of labels and numbers, BCP 47; default: the first one of the workspace. */
        lang?: string;
        /** @description An instant of the past. Not supported yet: 422. */
        as_of?: string;
        /** @description Only this process and those below it. */
        root_id?: string;
        /** @description What the colours show. */
        color_by?: "state" | "efficiency" | "effectiveness" | "compliance" | "automation" | "overall";
        /** @description Maximum number of processes shown. */
        most?: number;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmProcessMapReport"];
        };
      };
    };
  };
  getBpmCapabilityProcessMatrixReport: {
    parameters: {
      query?: {
        /** @description Language of labels and numbers, BCP 47; default: the first one of the workspace. */
        lang?: string;
        /** @description An instant of the past. Not supported yet: 422. */
        as_of?: string;
        /** @description Maximum number of rows, and of columns, shown. */
        most?: number;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmCapabilityProcessMatrixReport"];
        };
      };
    };
  };
  getBpmProcessApplicationMatrixReport: {
    parameters: {
      query?: {
        /** @description Language of labels and numbers, BCP 47; default: the first one of the workspace. */
        lang?: string;
        /** @description An instant of the past. Not supported yet: 422. */
        as_of?: string;
        /** @description Maximum number of rows, and of columns, shown. */
        most?: number;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmCapabilityProcessMatrixReport"];
        };
      };
    };
  };
  getBpmDependenciesReport: {
    parameters: {
      query?: {
        /** @description Language of labels and numbers, BCP 47; default: the first one of the workspace. */
        lang?: string;
        /** @description An instant of the past. Not supported yet: 422. */
        as_of?: string;
        /** @description Only this process and those directly connected with it. */
        process_id?: string;
        /** @description Maximum number of processes shown. */
        most?: number;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmDependenciesReport"];
        };
      };
    };
  };
  getBpmElementApplicationMapReport: {
    parameters: {
      query?: {
        /** @description Language of labels and numbers, BCP 47; default: the first one of the workspace. */
        lang?: string;
        /** @description An instant of the past. Not supported yet: 422. */
        as_of?: string;
        /** @description The type of the linked cards. */
        type?: "Application" | "DataObject" | "ITComponent" | "Organization" | "BusinessProcess";
        /** @description Only elements linked with this card. */
        card_id?: string;
        /** @description Maximum number of links shown. */
        most?: number;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmElementApplicationMapReport"];
        };
      };
    };
  };
  getBpmHeatmapReport: {
    parameters: {
      query?: {
        /** @description Language of labels and numbers, BCP 47; default: the first one of the workspace. */
        lang?: string;
        /** @description An instant of the past. Not supported yet: 422. */
        as_of?: string;
        /** @description Maximum number of processes shown. */
        most?: number;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmHeatmapReport"];
        };
      };
    };
  };
  listBpmAssessments: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of assessed_on, overall, created_at, updated_at; `id` breaks ties. */
        sort_by?: "assessed_on" | "overall" | "created_at" | "updated_at";
        /** @description assessed_on from, that value included. */
        assessed_on_from?: string;
        /** @description assessed_on up to, that value included. */
        assessed_on_to?: string;
        /** @description overall from, that value included. */
        overall_from?: number;
        /** @description overall up to, that value included. */
        overall_to?: number;
      };
      path: {
        card_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmAssessmentPage"];
        };
      };
    };
  };
  createBpmAssessment: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["BpmAssessmentCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["BpmAssessment"];
        };
      };
    };
  };
  getBpmAssessment: {
    parameters: {
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmAssessment"];
        };
      };
    };
  };
  deleteBpmAssessment: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateBpmAssessment: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["BpmAssessmentPatch"];
        "application/merge-patch+json": components["schemas"]["BpmAssessmentPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmAssessment"];
        };
      };
    };
  };
  getBpmAssessmentHistory: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of at; `id` breaks ties. */
        sort_by?: "at";
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmAssessmentHistoryPage"];
        };
      };
    };
  };
  listBpmTemplates: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of name, created_at, updated_at; `id` breaks ties. */
        sort_by?: "name" | "created_at" | "updated_at";
        /** @description Every word must occur in name, description. */
        search?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmTemplatePage"];
        };
      };
    };
  };
  createBpmTemplate: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["BpmTemplateCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["BpmTemplate"];
        };
      };
    };
  };
  getBpmTemplate: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmTemplate"];
        };
      };
    };
  };
  deleteBpmTemplate: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateBpmTemplate: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["BpmTemplatePatch"];
        "application/merge-patch+json": components["schemas"]["BpmTemplatePatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmTemplate"];
        };
      };
    };
  };
  getBpmTemplateHistory: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of at; `id` breaks ties. */
        sort_by?: "at";
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmAssessmentHistoryPage"];
        };
      };
    };
  };
  getBpmTemplateFile: {
    parameters: {
      query?: {
        /** @description Language of a template that ships with the module, BCP 47; default: the first one of the workspace. */
        lang?: string;
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description The bytes of the file, unchanged. */
      200: {
        content: {
          "application/xml": string;
        };
      };
    };
  };
  setBpmTemplateFile: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/xml": string;
        "text/xml": string;
        "application/bpmn+xml": string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmTemplate"];
        };
      };
    };
  };
  listCmdbsyncConnectors: {
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CmdbsyncConnectorPage"];
        };
      };
    };
  };
  listCmdbsyncConnections: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of name, created_at, updated_at; `id` breaks ties. */
        sort_by?: "name" | "created_at" | "updated_at";
        /** @description Any of these values of connector, by comma. */
        connector?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CmdbsyncConnectionPage"];
        };
      };
    };
  };
  createCmdbsyncConnection: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CmdbsyncConnectionCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["CmdbsyncConnection"];
        };
      };
    };
  };
  getCmdbsyncConnection: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CmdbsyncConnection"];
        };
      };
    };
  };
  deleteCmdbsyncConnection: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateCmdbsyncConnection: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CmdbsyncConnectionPatch"];
        "application/merge-patch+json": components["schemas"]["CmdbsyncConnectionPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CmdbsyncConnection"];
        };
      };
    };
  };
  getCmdbsyncConnectionHistory: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of at; `id` breaks ties. */
        sort_by?: "at";
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmAssessmentHistoryPage"];
        };
      };
    };
  };
  testCmdbsyncConnection: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["TestCmdbsyncConnectionResult"];
        };
      };
    };
  };
  listCmdbsyncTables: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of key, label; `id` breaks ties. */
        sort_by?: "key" | "label";
        /** @description Words in the key or the label. */
        search?: string;
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CmdbsyncTablePage"];
        };
      };
    };
  };
  listCmdbsyncFields: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of key, label; `id` breaks ties. */
        sort_by?: "key" | "label";
        /** @description Words in the key or the label. */
        search?: string;
        mapping_id?: string;
      };
      path: {
        id: components["parameters"]["Id"];
        table: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CmdbsyncFieldPage"];
        };
      };
    };
  };
  listCmdbsyncMappings: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of name, next_run_at, created_at, updated_at; `id` breaks ties. */
        sort_by?: "name" | "next_run_at" | "created_at" | "updated_at";
        /** @description Any of these values of connection_id, by comma. */
        connection_id?: string;
        /** @description Any of these values of card_type, by comma. */
        card_type?: string;
        /** @description The value of is_enabled. */
        is_enabled?: boolean;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CmdbsyncMappingPage"];
        };
      };
    };
  };
  createCmdbsyncMapping: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CmdbsyncMappingCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["CmdbsyncMapping"];
        };
      };
    };
  };
  getCmdbsyncMapping: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CmdbsyncMapping"];
        };
      };
    };
  };
  deleteCmdbsyncMapping: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateCmdbsyncMapping: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CmdbsyncMappingPatch"];
        "application/merge-patch+json": components["schemas"]["CmdbsyncMappingPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CmdbsyncMapping"];
        };
      };
    };
  };
  getCmdbsyncMappingHistory: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of at; `id` breaks ties. */
        sort_by?: "at";
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmAssessmentHistoryPage"];
        };
      };
    };
  };
  previewCmdbsyncMapping: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PreviewCmdbsyncMappingBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CmdbsyncPreviewRecordPage"];
        };
      };
    };
  };
  listCmdbsyncTemplates: {
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CmdbsyncTemplatePage"];
        };
      };
    };
  };
  createCmdbsyncMappingsFromTemplate: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CmdbsyncMappingsFromTemplateCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["CmdbsyncMappingsFromTemplate"];
        };
      };
    };
  };
  listCmdbsyncRuns: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of created_at; `id` breaks ties. */
        sort_by?: "created_at";
        mapping_id?: string;
        /** @description Any of these by comma: queued, reading, applying, review, done, failed, cancelled. */
        state?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CmdbsyncRunPage"];
        };
      };
    };
  };
  startCmdbsyncRun: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CmdbsyncRunStart"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["CmdbsyncRun"];
        };
      };
    };
  };
  getCmdbsyncRun: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CmdbsyncRun"];
        };
      };
    };
  };
  cancelCmdbsyncRun: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CmdbsyncRun"];
        };
      };
    };
  };
  applyCmdbsyncRun: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ApplyCmdbsyncRun"] | components["schemas"]["ApplyCmdbsyncRunInput"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CmdbsyncRun"];
        };
      };
    };
  };
  getCmdbsyncRunReport: {
    parameters: {
      query?: {
        format?: "json" | "csv";
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description The report. */
      200: {
        content: {
          "application/json": components["schemas"]["CmdbsyncRunReport"];
          "text/csv": string;
        };
      };
    };
  };
  listCmdbsyncRecords: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of id; `id` breaks ties. */
        sort_by?: "id";
        /** @description Any of these by comma: create, update, archive, conflict, skip, error. */
        action?: string;
        /** @description Any of these by comma: pending, approved, sent, applied, resolved, failed, superseded, reported. */
        state?: string;
        side?: "card" | "cmdb";
        external_id?: string;
        card_id?: string;
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CmdbsyncRecordPage"];
        };
      };
    };
  };
  getCmdbsyncRecord: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CmdbsyncRecord"];
        };
      };
    };
  };
  resolveCmdbsyncRecord: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["CmdbsyncResolve"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CmdbsyncRecord"];
        };
      };
    };
  };
  listCmdbsyncIdentities: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of linked_at; `id` breaks ties. */
        sort_by?: "linked_at";
        mapping_id?: string;
        card_id?: string;
        external_id?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CmdbsyncIdentityPage"];
        };
      };
    };
  };
  deleteCmdbsyncIdentity: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  listDiagramGroups: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of name, position, created_at, updated_at; `id` breaks ties. */
        sort_by?: "name" | "position" | "created_at" | "updated_at";
        /** @description Any of these values of parent_id, by comma; none: those without. */
        parent_id?: string;
        /** @description Every word must occur in name. */
        search?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DiagramGroupPage"];
        };
      };
    };
  };
  createDiagramGroup: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DiagramGroupCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["DiagramGroup"];
        };
      };
    };
  };
  getDiagramGroup: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DiagramGroup"];
        };
      };
    };
  };
  deleteDiagramGroup: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateDiagramGroup: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DiagramGroupPatch"];
        "application/merge-patch+json": components["schemas"]["DiagramGroupPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DiagramGroup"];
        };
      };
    };
  };
  getDiagramGroupHistory: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of at; `id` breaks ties. */
        sort_by?: "at";
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmAssessmentHistoryPage"];
        };
      };
    };
  };
  listDiagrams: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of name, created_at, updated_at; `id` breaks ties. */
        sort_by?: "name" | "created_at" | "updated_at";
        /** @description Every word must occur in the name or the description. */
        search?: string;
        /** @description Diagrams of any of these groups, by comma; `none`: of no group. */
        group_id?: string;
        /** @description Diagrams that show the card, or are linked with it. */
        card_id?: string;
        /** @description Whether they are favourites of the caller. */
        favourite?: boolean;
        created_by?: string;
        /** @description Changed from, that day (UTC) included. */
        updated_from?: string;
        /** @description Changed up to, that day (UTC) included. */
        updated_to?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardDiagramPage"];
        };
      };
    };
  };
  createDiagram: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DiagramCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Diagram"];
        };
      };
    };
  };
  getDiagram: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Diagram"];
        };
      };
    };
  };
  deleteDiagram: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateDiagram: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["DiagramPatch"];
        "application/merge-patch+json": components["schemas"]["DiagramPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Diagram"];
        };
      };
    };
  };
  listDiagramShapes: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of cell_id, page; `id` breaks ties. */
        sort_by?: "cell_id" | "page";
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DiagramShapePage"];
        };
      };
    };
  };
  getDiagramHistory: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DiagramHistoryPage"];
        };
      };
    };
  };
  favourDiagram: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  disfavourDiagram: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  getDiagramFile: {
    parameters: {
      query?: {
        /** @description Whether pages are compressed, as older versions of draw.io do. Default: false. */
        compressed?: boolean;
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description The draw.io file. */
      200: {
        content: {
          "application/vnd.jgraph.mxfile": string;
        };
      };
    };
  };
  replaceDiagramFile: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "multipart/form-data": components["schemas"]["DiagramFileReplacement"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Diagram"];
        };
      };
    };
  };
  getDiagramSvg: {
    parameters: {
      query?: {
        /** @description Number of the page, from 1. */
        page?: number;
        /** @description Width in px. Default: that of the drawing. */
        width?: number;
        theme?: "light" | "dark";
        /** @description Language of the description, BCP 47; default: the first one of the workspace. */
        lang?: string;
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description The drawing. */
      200: {
        content: {
          "image/svg+xml": string;
        };
      };
    };
  };
  getDiagramPng: {
    parameters: {
      query?: {
        /** @description Number of the page, from 1. */
        page?: number;
        /** @description Width in px. Default: that of the drawing. */
        width?: number;
        theme?: "light" | "dark";
        /** @description Language of the description, BCP 47; default: the first one of the workspace. */
        lang?: string;
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description The drawing. */
      200: {
        content: {
          "image/png": string;
        };
      };
    };
  };
  getDiagramDrawing: {
    parameters: {
      query?: {
        /** @description Number of the page, from 1. */
        page?: number;
        /** @description Width in px. Default: that of the drawing. */
        width?: number;
        theme?: "light" | "dark";
        /** @description Language of the description, BCP 47; default: the first one of the workspace. */
        lang?: string;
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DiagramDrawing"];
        };
      };
    };
  };
  listDiagramVersions: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of number; `id` breaks ties. */
        sort_by?: "number";
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DiagramVersionPage"];
        };
      };
    };
  };
  getDiagramVersion: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
        number: number;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DiagramVersion"];
        };
      };
    };
  };
  getDiagramVersionFile: {
    parameters: {
      query?: {
        /** @description Whether pages are compressed, as older versions of draw.io do. Default: false. */
        compressed?: boolean;
      };
      path: {
        id: components["parameters"]["Id"];
        number: number;
      };
    };
    responses: {
      /** @description The draw.io file. */
      200: {
        content: {
          "application/vnd.jgraph.mxfile": string;
        };
      };
    };
  };
  getDiagramVersionSvg: {
    parameters: {
      query?: {
        /** @description Number of the page, from 1. */
        page?: number;
        /** @description Width in px. Default: that of the drawing. */
        width?: number;
        theme?: "light" | "dark";
        /** @description Language of the description, BCP 47; default: the first one of the workspace. */
        lang?: string;
      };
      path: {
        id: components["parameters"]["Id"];
        number: number;
      };
    };
    responses: {
      /** @description The drawing. */
      200: {
        content: {
          "image/svg+xml": string;
        };
      };
    };
  };
  restoreDiagramVersion: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
        number: number;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Diagram"];
        };
      };
    };
  };
  importDiagrams: {
    parameters: {
      query?: {
        /** @description The group of the new diagrams. */
        group_id?: string;
      };
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "multipart/form-data": components["schemas"]["ImportDiagramsBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ImportDiagramsResult"];
        };
      };
    };
  };
  getDiagramDiff: {
    parameters: {
      query: {
        /** @description The number of the version to compare with. */
        with: number;
        /** @description The later version. Default: the current one. */
        version?: number;
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["DiagramDiff"];
        };
      };
    };
  };
  generateDiagram: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["GenerateDiagramBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["GenerateDiagramResult"];
        };
      };
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["GenerateDiagramResult"];
        };
      };
    };
  };
  proposeDiagramRelations: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["ProposeDiagramRelationsBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ProposeDiagramRelationsResult"];
        };
      };
    };
  };
  matchDiagramCards: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["MatchDiagramCardsBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["MatchDiagramCardsResult"];
        };
      };
    };
  };
  listCardDiagrams: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of name, created_at, updated_at; `id` breaks ties. */
        sort_by?: "name" | "created_at" | "updated_at";
        /** @description Every word must occur in the name or the description. */
        search?: string;
        /** @description Diagrams of any of these groups, by comma; `none`: of no group. */
        group_id?: string;
        /** @description Whether they are favourites of the caller. */
        favourite?: boolean;
        created_by?: string;
        /** @description Changed from, that day (UTC) included. */
        updated_from?: string;
        /** @description Changed up to, that day (UTC) included. */
        updated_to?: string;
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardDiagramPage"];
        };
      };
    };
  };
  analyseSuppliers: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightRun"];
        };
      };
    };
  };
  analyseDuplicates: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightRun"];
        };
      };
    };
  };
  analyseSecurity: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightRun"];
        };
      };
    };
  };
  analyseModernisation: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightRun"];
        };
      };
    };
  };
  listInsightRuns: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of created_at; `id` breaks ties. */
        sort_by?: "created_at";
        /** @description Any of these by comma: suppliers, duplicates, security, modernisation. */
        kind?: string;
        /** @description Any of these by comma: queued, running, done, failed, cancelled. */
        state?: string;
        is_current?: boolean;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightRunPage"];
        };
      };
    };
  };
  getInsightRun: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightRun"];
        };
      };
    };
  };
  cancelInsightRun: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightRun"];
        };
      };
    };
  };
  listInsightFindings: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `exact` counts all hits, `none` no hits: `total` is then null. Otherwise they are counted up to 10,000. */
        total?: "exact" | "none";
        /** @description One of severity, score, found_at; `id` breaks ties. */
        sort_by?: "severity" | "score" | "found_at";
        /** @description Any of these by comma: suppliers, duplicates, security, modernisation. */
        kind?: string;
        /** @description Keys of rules, by comma. */
        rule?: string;
        /** @description Any of these by comma: low, medium, high, critical. */
        severity?: string;
        /** @description States, by comma. */
        state?: string;
        card_id?: string;
        /** @description A completed run; default: the current run of each analysis. */
        run_id?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightFindingPage"];
        };
      };
    };
  };
  getInsightFinding: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightFinding"];
        };
      };
    };
  };
  transitionInsightFinding: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["InsightlensInsightFindingTransition"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightFinding"];
        };
      };
    };
  };
  listInsightDuplicates: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of score; `id` breaks ties. */
        sort_by?: "score";
        /** @description Only the cluster with this card. */
        card_id?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightDuplicateClusterPage"];
        };
      };
    };
  };
  listInsightSuppliers: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of spend, dependants, name; `id` breaks ties. */
        sort_by?: "spend" | "dependants" | "name";
        state?: "proposed" | "confirmed";
        /** @description In one of its names; case is ignored. */
        search?: string;
        /** @description A card that is, names or depends on the supplier. */
        card_id?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightSupplierRowPage"];
        };
      };
    };
  };
  getInsightSupplierTree: {
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightSupplierTree"];
        };
      };
    };
  };
  getInsightSupplier: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightSupplier"];
        };
      };
    };
  };
  changeInsightSupplier: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    /** @description Every change confirms which names that the caller sees belong to the supplier. */
    requestBody: {
      content: {
        "application/json": components["schemas"]["InsightlensInsightSupplierChange"];
        "application/merge-patch+json": components["schemas"]["InsightlensInsightSupplierChange"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightSupplier"];
        };
      };
    };
  };
  uploadInsightFeed: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        feed: "kev" | "endoflife";
      };
    };
    requestBody: {
      content: {
        "multipart/form-data": components["schemas"]["InsightlensUploadInsightFeedBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightFeed"];
        };
      };
    };
  };
  listInsightFeeds: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightFeedPage"];
        };
      };
    };
  };
  listInsightOddVersions: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightOddProductPage"];
        };
      };
    };
  };
  getInsightFeed: {
    parameters: {
      path: {
        feed: "kev" | "endoflife";
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightFeed"];
        };
      };
    };
  };
  fetchInsightFeed: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        feed: "kev" | "endoflife";
      };
    };
    responses: {
      /** @description Queued as a job. `Location` is the address of its status. */
      202: {
        content: {
          "application/json": components["schemas"]["InsightlensFetchInsightFeedResult"];
        };
      };
    };
  };
  listInsightRules: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightRulePage"];
        };
      };
    };
  };
  listInsightCompliance: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightCompliancePage"];
        };
      };
    };
  };
  getInsightCompliance: {
    parameters: {
      path: {
        regulation: "eu-ai-act" | "gdpr" | "nis2" | "dora" | "soc2" | "iso27001";
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightCompliance"];
        };
      };
    };
  };
  transitionInsightFindings: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["InsightlensInsightBulkTransition"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightBulkTransitionResult"];
        };
      };
    };
  };
  promoteInsightFinding: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["InsightlensInsightPromotion"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightPromoted"];
        };
      };
    };
  };
  listInsightCandidates: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of order, score, effort, name; `id` breaks ties. */
        sort_by?: "order" | "score" | "effort" | "name";
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightCandidatePage"];
        };
      };
    };
  };
  listInsightMatchedCards: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        slug?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightProductMatchPage"];
        };
      };
    };
  };
  listInsightUnmatchedCards: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description Any of these by comma: no_product, several_products, supplier_unknown, several_vulnerable_products, no_version, odd_version, imprecise_version, unknown_version. */
        reason?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightProductMatchPage"];
        };
      };
    };
  };
  getInsightCardProduct: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightCardProduct"];
        };
      };
    };
  };
  putInsightCardProduct: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["InsightlensInsightCardProductInput"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightCardProduct"];
        };
      };
    };
  };
  deleteInsightCardProduct: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  explainInsightFinding: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description The explanation. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightExplanation"];
          "text/event-stream": string;
        };
      };
    };
  };
  listInsightProposals: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of created_at; `id` breaks ties. */
        sort_by?: "created_at";
        state?: "queued" | "running" | "ready" | "failed" | "cancelled" | "committed";
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightProposalSummaryPage"];
        };
      };
    };
  };
  createInsightProposal: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["InsightlensInsightProposalCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightProposal"];
        };
      };
    };
  };
  getInsightProposal: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightProposal"];
        };
      };
    };
  };
  deleteInsightProposal: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateInsightProposal: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["InsightlensInsightProposalPatch"];
        "application/merge-patch+json": components["schemas"]["InsightlensInsightProposalPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightProposal"];
        };
      };
    };
  };
  cancelInsightProposal: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightProposal"];
        };
      };
    };
  };
  commitInsightProposal: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["InsightlensInsightProposalCommit"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["InsightlensInsightProposal"];
        };
      };
    };
  };
  listPortals: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of title, slug, is_published, created_at, updated_at; `id` breaks ties. */
        sort_by?: "title" | "slug" | "is_published" | "created_at" | "updated_at";
        /** @description Any of these values of slug, by comma. */
        slug?: string;
        /** @description Any of these values of type, by comma. */
        type?: string;
        /** @description The value of is_published. */
        is_published?: boolean;
        /** @description Every word must occur in title, slug, description. */
        search?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PortalPage"];
        };
      };
    };
  };
  createPortal: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PortalCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Portal"];
        };
      };
    };
  };
  getPortal: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Portal"];
        };
      };
    };
  };
  deletePortal: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updatePortal: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PortalPatch"];
        "application/merge-patch+json": components["schemas"]["PortalPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Portal"];
        };
      };
    };
  };
  getPortalHistory: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of at; `id` breaks ties. */
        sort_by?: "at";
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmAssessmentHistoryPage"];
        };
      };
    };
  };
  getPublicPortal: {
    parameters: {
      path: {
        slug: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PublicPortal"];
        };
      };
    };
  };
  listPublicPortalCards: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page; default: as the portal says. */
        page_size?: number;
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of `sorts` of the portal. */
        sort_by?: string;
        /** @description Every word must be a part of one of the texts in which the portal searches; at most 10 words. */
        search?: string;
      };
      path: {
        slug: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PublicPortalCardPage"];
        };
      };
    };
  };
  getPublicPortalCard: {
    parameters: {
      path: {
        slug: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PublicPortalCard"];
        };
      };
    };
  };
  getPublicPortalPage: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page; default: as the portal says. */
        page_size?: number;
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of `sorts` of the portal. */
        sort_by?: string;
        /** @description Every word must be a part of one of the texts in which the portal searches; at most 10 words. */
        search?: string;
      };
      path: {
        slug: string;
      };
    };
    responses: {
      /** @description The page. */
      200: {
        content: {
          "text/html": string;
        };
      };
    };
  };
  getPublicPortalCardPage: {
    parameters: {
      path: {
        slug: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description The page. */
      200: {
        content: {
          "text/html": string;
        };
      };
    };
  };
  getPpmPlan: {
    parameters: {
      path: {
        card_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmPlan"];
        };
      };
    };
  };
  updatePpmPlan: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PpmPlanPatch"];
        "application/merge-patch+json": components["schemas"]["PpmPlanPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmPlan"];
        };
      };
    };
  };
  listPpmWbsItems: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of outline; `id` breaks ties. */
        sort_by?: "outline";
        /** @description Ids by comma; `none`: without. */
        parent_id?: string;
        /** @description Ids by comma; `none`: without. */
        assignee_id?: string;
        /** @description Any of these by comma: true, false. */
        is_milestone?: string;
        external_id?: string;
        start_date_from?: string;
        start_date_to?: string;
        end_date_from?: string;
        end_date_to?: string;
        /** @description Every word must occur in the title or the description. */
        search?: string;
      };
      path: {
        card_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmWbsPage"];
        };
      };
    };
  };
  createPpmWbsItem: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PpmWbsItemCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["PpmWbsItem"];
        };
      };
    };
  };
  getPpmWbsItem: {
    parameters: {
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmWbsItem"];
        };
      };
    };
  };
  deletePpmWbsItem: {
    parameters: {
      query?: {
        /** @description Of an item with others below it: delete them too, or put them in its place. */
        strategy?: "cascade" | "reparent";
      };
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updatePpmWbsItem: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PpmWbsItemUpdate"];
        "application/merge-patch+json": components["schemas"]["PpmWbsItemUpdate"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmWbsItem"];
        };
      };
    };
  };
  movePpmWbsItem: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PpmWbsItemMove"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmWbsItem"];
        };
      };
    };
  };
  getPpmWbsItemHistory: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of at; `id` breaks ties. */
        sort_by?: "at";
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmHistoryPage"];
        };
      };
    };
  };
  listPpmDependencies: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of created_at, updated_at; `id` breaks ties. */
        sort_by?: "created_at" | "updated_at";
        /** @description Any of these values of predecessor_id, by comma. */
        predecessor_id?: string;
        /** @description Any of these values of successor_id, by comma. */
        successor_id?: string;
        /** @description Any of these by comma: FS, SS, FF, SF. */
        type?: string;
      };
      path: {
        card_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmDependencyPage"];
        };
      };
    };
  };
  createPpmDependency: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PpmDependencyCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["PpmDependency"];
        };
      };
    };
  };
  getPpmDependency: {
    parameters: {
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmDependency"];
        };
      };
    };
  };
  deletePpmDependency: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updatePpmDependency: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PpmDependencyPatch"];
        "application/merge-patch+json": components["schemas"]["PpmDependencyPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmDependency"];
        };
      };
    };
  };
  getPpmDependencyHistory: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of at; `id` breaks ties. */
        sort_by?: "at";
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmAssessmentHistoryPage"];
        };
      };
    };
  };
  listPpmStatusReports: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of report_date, created_at, updated_at; `id` breaks ties. */
        sort_by?: "report_date" | "created_at" | "updated_at";
        /** @description report_date from, that value included. */
        report_date_from?: string;
        /** @description report_date up to, that value included. */
        report_date_to?: string;
        /** @description Any of these by comma: on_track, at_risk, off_track. */
        schedule_health?: string;
        /** @description Any of these by comma: on_track, at_risk, off_track. */
        cost_health?: string;
        /** @description Any of these by comma: on_track, at_risk, off_track. */
        scope_health?: string;
      };
      path: {
        card_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmStatusReportPage"];
        };
      };
    };
  };
  createPpmStatusReport: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PpmStatusReportCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["PpmStatusReport"];
        };
      };
    };
  };
  getPpmStatusReport: {
    parameters: {
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmStatusReport"];
        };
      };
    };
  };
  deletePpmStatusReport: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updatePpmStatusReport: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PpmStatusReportPatch"];
        "application/merge-patch+json": components["schemas"]["PpmStatusReportPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmStatusReport"];
        };
      };
    };
  };
  getPpmStatusReportHistory: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of at; `id` breaks ties. */
        sort_by?: "at";
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmAssessmentHistoryPage"];
        };
      };
    };
  };
  listPpmTasks: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of position, due_date, start_date, created_at, updated_at; `id` breaks ties. */
        sort_by?: "position" | "due_date" | "start_date" | "created_at" | "updated_at";
        /** @description Any of these by comma: todo, in_progress, blocked, done. */
        status?: string;
        /** @description Any of these by comma: low, medium, high, critical. */
        priority?: string;
        /** @description Any of these values of assignee_id, by comma; none: those without. */
        assignee_id?: string;
        /** @description Any of these values of wbs_id, by comma; none: those without. */
        wbs_id?: string;
        /** @description A value that is in tags. */
        tags?: string;
        /** @description start_date from, that value included. */
        start_date_from?: string;
        /** @description start_date up to, that value included. */
        start_date_to?: string;
        /** @description due_date from, that value included. */
        due_date_from?: string;
        /** @description due_date up to, that value included. */
        due_date_to?: string;
        /** @description Whether the due date has passed (UTC) and the task is not done. */
        is_overdue?: boolean;
        /** @description Every word must occur in title, description, tags. */
        search?: string;
      };
      path: {
        card_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmTaskPage"];
        };
      };
    };
  };
  createPpmTask: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PpmTaskCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["PpmTask"];
        };
      };
    };
  };
  getPpmTask: {
    parameters: {
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmTask"];
        };
      };
    };
  };
  deletePpmTask: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updatePpmTask: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PpmTaskPatch"];
        "application/merge-patch+json": components["schemas"]["PpmTaskPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmTask"];
        };
      };
    };
  };
  getPpmTaskHistory: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of at; `id` breaks ties. */
        sort_by?: "at";
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmAssessmentHistoryPage"];
        };
      };
    };
  };
  movePpmTask: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PpmTaskMove"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmTask"];
        };
      };
    };
  };
  listPpmTasksOfAll: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of due_date, start_date, created_at, updated_at; `id` breaks ties. */
        sort_by?: "due_date" | "start_date" | "created_at" | "updated_at";
        /** @description Any of these by comma: todo, in_progress, blocked, done. */
        status?: string;
        /** @description Any of these by comma: low, medium, high, critical. */
        priority?: string;
        /** @description Ids of users by comma; `me`: the caller, `none`: without an assignee. */
        assignee_id?: string;
        /** @description Any of these values of wbs_id, by comma; none: those without. */
        wbs_id?: string;
        /** @description A value that is in tags. */
        tags?: string;
        /** @description start_date from, that value included. */
        start_date_from?: string;
        /** @description start_date up to, that value included. */
        start_date_to?: string;
        /** @description due_date from, that value included. */
        due_date_from?: string;
        /** @description due_date up to, that value included. */
        due_date_to?: string;
        /** @description Whether the due date has passed (UTC) and the task is not done. */
        is_overdue?: boolean;
        /** @description Every word must occur in title, description, tags. */
        search?: string;
        /** @description Initiatives, by comma. */
        card_id?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmTaskPage"];
        };
      };
    };
  };
  listPpmTaskComments: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of created_at, updated_at; `id` breaks ties. */
        sort_by?: "created_at" | "updated_at";
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmTaskCommentPage"];
        };
      };
    };
  };
  createPpmTaskComment: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PpmTaskCommentCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["PpmTaskComment"];
        };
      };
    };
  };
  getPpmTaskComment: {
    parameters: {
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
        comment_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmTaskComment"];
        };
      };
    };
  };
  deletePpmTaskComment: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
        comment_id: string;
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updatePpmTaskComment: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
        comment_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PpmTaskCommentCreate"];
        "application/merge-patch+json": components["schemas"]["PpmTaskCommentCreate"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmTaskComment"];
        };
      };
    };
  };
  getPpmTaskCommentHistory: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of at; `id` breaks ties. */
        sort_by?: "at";
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
        comment_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmHistoryPage"];
        };
      };
    };
  };
  listPpmHolidays: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of date, created_at, updated_at; `id` breaks ties. */
        sort_by?: "date" | "created_at" | "updated_at";
        /** @description date from, that value included. */
        date_from?: string;
        /** @description date up to, that value included. */
        date_to?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmHolidayPage"];
        };
      };
    };
  };
  createPpmHoliday: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PpmHolidayCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["PpmHoliday"];
        };
      };
    };
  };
  getPpmHoliday: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmHoliday"];
        };
      };
    };
  };
  deletePpmHoliday: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updatePpmHoliday: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PpmHolidayPatch"];
        "application/merge-patch+json": components["schemas"]["PpmHolidayPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmHoliday"];
        };
      };
    };
  };
  getPpmHolidayHistory: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of at; `id` breaks ties. */
        sort_by?: "at";
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmAssessmentHistoryPage"];
        };
      };
    };
  };
  listPpmBudgets: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of fiscal_year, amount, created_at, updated_at; `id` breaks ties. */
        sort_by?: "fiscal_year" | "amount" | "created_at" | "updated_at";
        /** @description fiscal_year from, that value included. */
        fiscal_year_from?: number;
        /** @description fiscal_year up to, that value included. */
        fiscal_year_to?: number;
        /** @description Any of these by comma: capex, opex. */
        category?: string;
        /** @description Any of these values of currency, by comma. */
        currency?: string;
      };
      path: {
        card_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmBudgetPage"];
        };
      };
    };
  };
  createPpmBudget: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PpmBudgetCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["PpmBudget"];
        };
      };
    };
  };
  getPpmBudget: {
    parameters: {
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmBudget"];
        };
      };
    };
  };
  deletePpmBudget: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updatePpmBudget: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PpmBudgetPatch"];
        "application/merge-patch+json": components["schemas"]["PpmBudgetPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmBudget"];
        };
      };
    };
  };
  getPpmBudgetHistory: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of at; `id` breaks ties. */
        sort_by?: "at";
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmAssessmentHistoryPage"];
        };
      };
    };
  };
  listPpmCosts: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of date, planned, actual, created_at, updated_at; `id` breaks ties. */
        sort_by?: "date" | "planned" | "actual" | "created_at" | "updated_at";
        /** @description Any of these values of wbs_id, by comma; none: those without. */
        wbs_id?: string;
        /** @description Any of these by comma: capex, opex. */
        category?: string;
        /** @description Any of these values of currency, by comma. */
        currency?: string;
        /** @description date from, that value included. */
        date_from?: string;
        /** @description date up to, that value included. */
        date_to?: string;
      };
      path: {
        card_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmCostPage"];
        };
      };
    };
  };
  createPpmCost: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PpmCostCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["PpmCost"];
        };
      };
    };
  };
  getPpmCost: {
    parameters: {
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmCost"];
        };
      };
    };
  };
  deletePpmCost: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updatePpmCost: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PpmCostPatch"];
        "application/merge-patch+json": components["schemas"]["PpmCostPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmCost"];
        };
      };
    };
  };
  getPpmCostHistory: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of at; `id` breaks ties. */
        sort_by?: "at";
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmAssessmentHistoryPage"];
        };
      };
    };
  };
  listPpmRisks: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of score, title, status, created_at, updated_at; `id` breaks ties. */
        sort_by?: "score" | "title" | "status" | "created_at" | "updated_at";
        /** @description Any of these by comma: open, mitigating, mitigated, closed, accepted. */
        status?: string;
        /** @description Any of these values of owner_id, by comma; none: those without. */
        owner_id?: string;
        /** @description score from, that value included. */
        score_from?: number;
        /** @description score up to, that value included. */
        score_to?: number;
        /** @description Every word must occur in title, description. */
        search?: string;
      };
      path: {
        card_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmRiskPage"];
        };
      };
    };
  };
  createPpmRisk: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PpmRiskCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["PpmRisk"];
        };
      };
    };
  };
  getPpmRisk: {
    parameters: {
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmRisk"];
        };
      };
    };
  };
  deletePpmRisk: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updatePpmRisk: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PpmRiskPatch"];
        "application/merge-patch+json": components["schemas"]["PpmRiskPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmRisk"];
        };
      };
    };
  };
  getPpmRiskHistory: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of at; `id` breaks ties. */
        sort_by?: "at";
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmAssessmentHistoryPage"];
        };
      };
    };
  };
  promotePpmRisk: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PromotePpmRiskBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmRisk"];
        };
      };
    };
  };
  listPpmInitiatives: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of name, completion, start_date, end_date, late_items, health, open_risks, budget, planned, actual, forecast; `id` breaks ties. */
        sort_by?: "name" | "completion" | "start_date" | "end_date" | "late_items" | "health" | "open_risks" | "budget" | "planned" | "actual" | "forecast";
        subtype?: string;
        /** @description `true`: cards without a subtype; `false`: cards with one. */
        "subtype[empty]"?: boolean;
        /** @description ACTIVE (default), ARCHIVED, or both. */
        status?: string;
        /** @description DRAFT, APPROVED, REJECTED, BROKEN. */
        approval_status?: string;
        /** @description Any of the phases that `lifecycle_phase` of the card shows today (UTC); `none` for cards where it is null. */
        lifecycle_phase?: string;
        /** @description Cards whose score, as shown to the caller, is at least this number. */
        "data_quality[gte]"?: number;
        /** @description Cards whose score, as shown to the caller, is less than this number. */
        "data_quality[lt]"?: number;
        /** @description Children of a card, or `null` for cards without a parent. */
        parent_id?: string;
        /** @description The whole subtree of a card, including the card. */
        root_id?: string;
        tag?: string;
        /** @description Cards on which the user has a stakeholder role; `me` for the caller. For other users `stakeholders.view` is required. */
        stakeholder_id?: string;
        /** @description Cards on which a user has any of these stakeholder roles; with `stakeholder_id`, one of those users. Requires `stakeholders.view`, except with `stakeholder_id=me`. */
        stakeholder_role?: string;
        /** @description Cards on which no user has any of these stakeholder roles; `any` for cards without stakeholders. Requires `stakeholders.view`. */
        "stakeholder_role[empty]"?: string;
        /** @description Cards with a relation to any of these cards, see `relation_type` and `direction`. */
        related_to?: string;
        /** @description The same with the cards of the subtrees of these cards, including them. */
        related_root_id?: string;
        /** @description Only relations of these types for `related_to` and `related_root_id`, one of which is required. */
        relation_type?: string;
        /** @description Cards with at least one relation of any of these types, or `none` for cards without relations. As everywhere, only relations between active cards that the caller may see count. */
        has_relation?: string;
        /** @description Cards without a relation of any of these types. */
        lacks_relation?: string;
        /** @description Direction of the relations of the filters above, as seen from the listed card: `outgoing` means that it is the source. Default: both. */
        direction?: "outgoing" | "incoming" | "both";
        ids?: string;
        external_id?: string;
        /** @description Cards created at this time or later. */
        created_since?: string;
        /** @description Cards created before this time. */
        created_before?: string;
        /** @description Cards last changed at this time or later. */
        updated_since?: string;
        /** @description Cards last changed before this time. */
        updated_before?: string;
        /** @description Every word must match: as a prefix of a word in name, alias, external id or description, or as a part of name or alias. */
        search?: string;
        /** @description Any of these by comma: on_track, at_risk, off_track, none. */
        health?: string;
        /** @description Whether items are late. */
        late?: boolean;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmInitiativePage"];
        };
      };
    };
  };
  getPpmInitiative: {
    parameters: {
      path: {
        card_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmInitiative"];
        };
      };
    };
  };
  getPpmDashboardReport: {
    parameters: {
      query?: {
        /** @description Language of labels and numbers, BCP 47; default: the first one of the workspace. */
        lang?: string;
        /** @description An instant of the past. Not supported yet: 422. */
        as_of?: string;
        /** @description Card types, comma separated: any of. */
        type?: string;
        subtype?: string;
        /** @description `true`: cards without a subtype; `false`: cards with one. */
        "subtype[empty]"?: boolean;
        /** @description ACTIVE (default), ARCHIVED, or both. */
        status?: string;
        /** @description DRAFT, APPROVED, REJECTED, BROKEN. */
        approval_status?: string;
        /** @description Any of the phases that `lifecycle_phase` of the card shows today (UTC); `none` for cards where it is null. */
        lifecycle_phase?: string;
        /** @description Cards whose score, as shown to the caller, is at least this number. */
        "data_quality[gte]"?: number;
        /** @description Cards whose score, as shown to the caller, is less than this number. */
        "data_quality[lt]"?: number;
        /** @description Children of a card, or `null` for cards without a parent. */
        parent_id?: string;
        /** @description The whole subtree of a card, including the card. */
        root_id?: string;
        tag?: string;
        /** @description Cards on which the user has a stakeholder role; `me` for the caller. For other users `stakeholders.view` is required. */
        stakeholder_id?: string;
        /** @description Cards on which a user has any of these stakeholder roles; with `stakeholder_id`, one of those users. Requires `stakeholders.view`, except with `stakeholder_id=me`. */
        stakeholder_role?: string;
        /** @description Cards on which no user has any of these stakeholder roles; `any` for cards without stakeholders. Requires `stakeholders.view`. */
        "stakeholder_role[empty]"?: string;
        /** @description Cards with a relation to any of these cards, see `relation_type` and `direction`. */
        related_to?: string;
        /** @description The same with the cards of the subtrees of these cards, including them. */
        related_root_id?: string;
        /** @description Only relations of these types for `related_to` and `related_root_id`, one of which is required. */
        relation_type?: string;
        /** @description Cards with at least one relation of any of these types, or `none` for cards without relations. As everywhere, only relations between active cards that the caller may see count. */
        has_relation?: string;
        /** @description Cards without a relation of any of these types. */
        lacks_relation?: string;
        /** @description Direction of the relations of the filters above, as seen from the listed card: `outgoing` means that it is the source. Default: both. */
        direction?: "outgoing" | "incoming" | "both";
        ids?: string;
        external_id?: string;
        /** @description Cards created at this time or later. */
        created_since?: string;
        /** @description Cards created before this time. */
        created_before?: string;
        /** @description Cards last changed at this time or later. */
        updated_since?: string;
        /** @description Cards last changed before this time. */
        updated_before?: string;
        /** @description Every word must match: as a prefix of a word in name, alias, external id or description, or as a part of name or alias. */
        search?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmDashboardReport"];
        };
      };
    };
  };
  getPpmBudgetVsActualReport: {
    parameters: {
      query?: {
        /** @description Language of labels and numbers, BCP 47; default: the first one of the workspace. */
        lang?: string;
        /** @description An instant of the past. Not supported yet: 422. */
        as_of?: string;
        /** @description Card types, comma separated: any of. */
        type?: string;
        subtype?: string;
        /** @description `true`: cards without a subtype; `false`: cards with one. */
        "subtype[empty]"?: boolean;
        /** @description ACTIVE (default), ARCHIVED, or both. */
        status?: string;
        /** @description DRAFT, APPROVED, REJECTED, BROKEN. */
        approval_status?: string;
        /** @description Any of the phases that `lifecycle_phase` of the card shows today (UTC); `none` for cards where it is null. */
        lifecycle_phase?: string;
        /** @description Cards whose score, as shown to the caller, is at least this number. */
        "data_quality[gte]"?: number;
        /** @description Cards whose score, as shown to the caller, is less than this number. */
        "data_quality[lt]"?: number;
        /** @description Children of a card, or `null` for cards without a parent. */
        parent_id?: string;
        /** @description The whole subtree of a card, including the card. */
        root_id?: string;
        tag?: string;
        /** @description Cards on which the user has a stakeholder role; `me` for the caller. For other users `stakeholders.view` is required. */
        stakeholder_id?: string;
        /** @description Cards on which a user has any of these stakeholder roles; with `stakeholder_id`, one of those users. Requires `stakeholders.view`, except with `stakeholder_id=me`. */
        stakeholder_role?: string;
        /** @description Cards on which no user has any of these stakeholder roles; `any` for cards without stakeholders. Requires `stakeholders.view`. */
        "stakeholder_role[empty]"?: string;
        /** @description Cards with a relation to any of these cards, see `relation_type` and `direction`. */
        related_to?: string;
        /** @description The same with the cards of the subtrees of these cards, including them. */
        related_root_id?: string;
        /** @description Only relations of these types for `related_to` and `related_root_id`, one of which is required. */
        relation_type?: string;
        /** @description Cards with at least one relation of any of these types, or `none` for cards without relations. As everywhere, only relations between active cards that the caller may see count. */
        has_relation?: string;
        /** @description Cards without a relation of any of these types. */
        lacks_relation?: string;
        /** @description Direction of the relations of the filters above, as seen from the listed card: `outgoing` means that it is the source. Default: both. */
        direction?: "outgoing" | "incoming" | "both";
        ids?: string;
        external_id?: string;
        /** @description Cards created at this time or later. */
        created_since?: string;
        /** @description Cards created before this time. */
        created_before?: string;
        /** @description Cards last changed at this time or later. */
        updated_since?: string;
        /** @description Cards last changed before this time. */
        updated_before?: string;
        /** @description Every word must match: as a prefix of a word in name, alias, external id or description, or as a part of name or alias. */
        search?: string;
        /** @description The calendar year in which the fiscal year begins; default: all. */
        fiscal_year?: number;
        category?: "capex" | "opex";
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmBudgetVsActualReport"];
        };
      };
    };
  };
  getPpmGanttReport: {
    parameters: {
      query?: {
        /** @description Language of labels and numbers, BCP 47; default: the first one of the workspace. */
        lang?: string;
        /** @description An instant of the past. Not supported yet: 422. */
        as_of?: string;
        /** @description Card types, comma separated: any of. */
        type?: string;
        subtype?: string;
        /** @description `true`: cards without a subtype; `false`: cards with one. */
        "subtype[empty]"?: boolean;
        /** @description ACTIVE (default), ARCHIVED, or both. */
        status?: string;
        /** @description DRAFT, APPROVED, REJECTED, BROKEN. */
        approval_status?: string;
        /** @description Any of the phases that `lifecycle_phase` of the card shows today (UTC); `none` for cards where it is null. */
        lifecycle_phase?: string;
        /** @description Cards whose score, as shown to the caller, is at least this number. */
        "data_quality[gte]"?: number;
        /** @description Cards whose score, as shown to the caller, is less than this number. */
        "data_quality[lt]"?: number;
        /** @description Children of a card, or `null` for cards without a parent. */
        parent_id?: string;
        /** @description The whole subtree of a card, including the card. */
        root_id?: string;
        tag?: string;
        /** @description Cards on which the user has a stakeholder role; `me` for the caller. For other users `stakeholders.view` is required. */
        stakeholder_id?: string;
        /** @description Cards on which a user has any of these stakeholder roles; with `stakeholder_id`, one of those users. Requires `stakeholders.view`, except with `stakeholder_id=me`. */
        stakeholder_role?: string;
        /** @description Cards on which no user has any of these stakeholder roles; `any` for cards without stakeholders. Requires `stakeholders.view`. */
        "stakeholder_role[empty]"?: string;
        /** @description Cards with a relation to any of these cards, see `relation_type` and `direction`. */
        related_to?: string;
        /** @description The same with the cards of the subtrees of these cards, including them. */
        related_root_id?: string;
        /** @description Only relations of these types for `related_to` and `related_root_id`, one of which is required. */
        relation_type?: string;
        /** @description Cards with at least one relation of any of these types, or `none` for cards without relations. As everywhere, only relations between active cards that the caller may see count. */
        has_relation?: string;
        /** @description Cards without a relation of any of these types. */
        lacks_relation?: string;
        /** @description Direction of the relations of the filters above, as seen from the listed card: `outgoing` means that it is the source. Default: both. */
        direction?: "outgoing" | "incoming" | "both";
        ids?: string;
        external_id?: string;
        /** @description Cards created at this time or later. */
        created_since?: string;
        /** @description Cards created before this time. */
        created_before?: string;
        /** @description Cards last changed at this time or later. */
        updated_since?: string;
        /** @description Cards last changed before this time. */
        updated_before?: string;
        /** @description Every word must match: as a prefix of a word in name, alias, external id or description, or as a part of name or alias. */
        search?: string;
        /** @description Only initiatives that end on this day or later. */
        from?: string;
        /** @description Only initiatives that start on this day or earlier. */
        to?: string;
        /** @description Maximum number of initiatives, the earliest first. */
        most?: number;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmGanttReport"];
        };
      };
    };
  };
  getPpmResourceLoadReport: {
    parameters: {
      query?: {
        /** @description Language of labels and numbers, BCP 47; default: the first one of the workspace. */
        lang?: string;
        /** @description An instant of the past. Not supported yet: 422. */
        as_of?: string;
        /** @description Card types, comma separated: any of. */
        type?: string;
        subtype?: string;
        /** @description `true`: cards without a subtype; `false`: cards with one. */
        "subtype[empty]"?: boolean;
        /** @description ACTIVE (default), ARCHIVED, or both. */
        status?: string;
        /** @description DRAFT, APPROVED, REJECTED, BROKEN. */
        approval_status?: string;
        /** @description Any of the phases that `lifecycle_phase` of the card shows today (UTC); `none` for cards where it is null. */
        lifecycle_phase?: string;
        /** @description Cards whose score, as shown to the caller, is at least this number. */
        "data_quality[gte]"?: number;
        /** @description Cards whose score, as shown to the caller, is less than this number. */
        "data_quality[lt]"?: number;
        /** @description Children of a card, or `null` for cards without a parent. */
        parent_id?: string;
        /** @description The whole subtree of a card, including the card. */
        root_id?: string;
        tag?: string;
        /** @description Cards on which the user has a stakeholder role; `me` for the caller. For other users `stakeholders.view` is required. */
        stakeholder_id?: string;
        /** @description Cards on which a user has any of these stakeholder roles; with `stakeholder_id`, one of those users. Requires `stakeholders.view`, except with `stakeholder_id=me`. */
        stakeholder_role?: string;
        /** @description Cards on which no user has any of these stakeholder roles; `any` for cards without stakeholders. Requires `stakeholders.view`. */
        "stakeholder_role[empty]"?: string;
        /** @description Cards with a relation to any of these cards, see `relation_type` and `direction`. */
        related_to?: string;
        /** @description The same with the cards of the subtrees of these cards, including them. */
        related_root_id?: string;
        /** @description Only relations of these types for `related_to` and `related_root_id`, one of which is required. */
        relation_type?: string;
        /** @description Cards with at least one relation of any of these types, or `none` for cards without relations. As everywhere, only relations between active cards that the caller may see count. */
        has_relation?: string;
        /** @description Cards without a relation of any of these types. */
        lacks_relation?: string;
        /** @description Direction of the relations of the filters above, as seen from the listed card: `outgoing` means that it is the source. Default: both. */
        direction?: "outgoing" | "incoming" | "both";
        ids?: string;
        external_id?: string;
        /** @description Cards created at this time or later. */
        created_since?: string;
        /** @description Cards created before this time. */
        created_before?: string;
        /** @description Cards last changed at this time or later. */
        updated_since?: string;
        /** @description Cards last changed before this time. */
        updated_before?: string;
        /** @description Every word must match: as a prefix of a word in name, alias, external id or description, or as a part of name or alias. */
        search?: string;
        /** @description A day of the first week; default: today (UTC). */
        from?: string;
        weeks?: number;
        /** @description Whether completed tasks count too. */
        done?: boolean;
        /** @description Maximum number of persons, those with the most work first. */
        most?: number;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmResourceLoad"];
        };
      };
    };
  };
  getPpmSchedule: {
    parameters: {
      query?: {
        /** @description The day by which the plan is to be finished; latest dates and floats refer to it. Default: the computed finish. */
        finish_by?: string;
        /** @description Only critical items, or only others. */
        critical?: boolean;
      };
      path: {
        card_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmSchedulePage"];
        };
      };
    };
  };
  getPpmGantt: {
    parameters: {
      query?: {
        format?: "json" | "svg";
        /** @description A baseline of the plan, shown below the bars. */
        baseline_id?: string;
        /** @description The first item, counted in the order of the tree. */
        from_row?: number;
        /** @description Items; default: all. */
        rows?: number;
        /** @description Pixels, of a picture. */
        width?: number;
        theme?: "light" | "dark";
        /** @description Language of a picture, BCP 47; default: the first one of the workspace. */
        lang?: string;
      };
      path: {
        card_id: string;
      };
    };
    responses: {
      /** @description The rows and dependencies, or the drawing. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmGantt"];
          "image/svg+xml": string;
        };
      };
    };
  };
  getPpmEarnedValue: {
    parameters: {
      query?: {
        /** @description The status date; default: today (UTC). */
        date?: string;
        /** @description Formula of the estimate at completion: `cpi` BAC / CPI; `remaining` AC + (BAC − EV); `cpi_spi` AC + (BAC − EV) / (CPI × SPI). */
        eac?: "cpi" | "remaining" | "cpi_spi";
        /** @description Planned dates and costs are those of this baseline; items added since are left out. */
        baseline_id?: string;
        /** @description Of the series; default: weeks, or months for more than 400 weeks. */
        interval?: "week" | "month";
      };
      path: {
        card_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmEarnedValue"];
        };
      };
    };
  };
  getPpmResourceLoad: {
    parameters: {
      query?: {
        /** @description A day of the first week; default: today (UTC). */
        from?: string;
        weeks?: number;
        /** @description Whether completed tasks count too. */
        done?: boolean;
        /** @description Maximum number of persons, those with the most work first. */
        most?: number;
      };
      path: {
        card_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmResourceLoad"];
        };
      };
    };
  };
  listPpmBaselines: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of created_at, updated_at; `id` breaks ties. */
        sort_by?: "created_at" | "updated_at";
      };
      path: {
        card_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmBaselinePage"];
        };
      };
    };
  };
  createPpmBaseline: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PpmBaselineCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["PpmBaseline"];
        };
      };
    };
  };
  getPpmBaseline: {
    parameters: {
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmBaseline"];
        };
      };
    };
  };
  deletePpmBaseline: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updatePpmBaseline: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["PpmBaselinePatch"];
        "application/merge-patch+json": components["schemas"]["PpmBaselinePatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["PpmBaseline"];
        };
      };
    };
  };
  getPpmBaselineHistory: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of at; `id` breaks ties. */
        sort_by?: "at";
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmAssessmentHistoryPage"];
        };
      };
    };
  };
  comparePpmBaseline: {
    parameters: {
      query?: {
        /** @description Whether items without differences are listed too. */
        unchanged?: boolean;
        /** @description Maximum number of items listed. */
        most?: number;
      };
      path: {
        card_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ComparePpmBaselinePage"];
        };
      };
    };
  };
  getPpmPlanCsv: {
    parameters: {
      path: {
        card_id: string;
      };
    };
    responses: {
      /** @description The file. */
      200: {
        content: {
          "text/csv": string;
        };
      };
    };
  };
  getPpmPlanXml: {
    parameters: {
      path: {
        card_id: string;
      };
    };
    responses: {
      /** @description The file. */
      200: {
        content: {
          "application/xml": string;
        };
      };
    };
  };
  importPpmPlan: {
    parameters: {
      query?: {
        /** @description Preview: everything is checked, nothing is stored. */
        dry_run?: boolean;
        /** @description Whether items and dependencies that the file does not have are deleted. */
        remove_missing?: boolean;
        /** @description Maximum number of items listed. */
        most?: number;
      };
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        card_id: string;
      };
    };
    requestBody: {
      content: {
        "text/csv": string;
        "application/xml": string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ImportPpmPlanResult"];
        };
      };
    };
  };
  listReports: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of id, title; `id` breaks ties. */
        sort_by?: "id" | "title";
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ReportPage"];
        };
      };
    };
  };
  getDashboardReport: {
    parameters: {
      query?: {
        format?: "json" | "csv" | "xlsx" | "svg" | "png";
        /** @description Width of the picture in pixels. */
        width?: number;
        /** @description Colours of the picture. */
        theme?: "light" | "dark";
        /** @description Language of labels and numbers, BCP 47; default: the first one of the workspace. */
        lang?: string;
        /** @description An instant of the past. Not supported yet: 422. */
        as_of?: string;
        /** @description Card types, comma separated: any of. */
        type?: string;
        subtype?: string;
        /** @description `true`: cards without a subtype; `false`: cards with one. */
        "subtype[empty]"?: boolean;
        /** @description ACTIVE (default), ARCHIVED, or both. */
        status?: string;
        /** @description DRAFT, APPROVED, REJECTED, BROKEN. */
        approval_status?: string;
        /** @description Any of the phases that `lifecycle_phase` of the card shows today (UTC); `none` for cards where it is null. */
        lifecycle_phase?: string;
        /** @description Cards whose score, as shown to the caller, is at least this number. */
        "data_quality[gte]"?: number;
        /** @description Cards whose score, as shown to the caller, is less than this number. */
        "data_quality[lt]"?: number;
        /** @description Children of a card, or `null` for cards without a parent. */
        parent_id?: string;
        /** @description The whole subtree of a card, including the card. */
        root_id?: string;
        tag?: string;
        /** @description Cards on which the user has a stakeholder role; `me` for the caller. For other users `stakeholders.view` is required. */
        stakeholder_id?: string;
        /** @description Cards on which a user has any of these stakeholder roles; with `stakeholder_id`, one of those users. Requires `stakeholders.view`, except with `stakeholder_id=me`. */
        stakeholder_role?: string;
        /** @description Cards on which no user has any of these stakeholder roles; `any` for cards without stakeholders. Requires `stakeholders.view`. */
        "stakeholder_role[empty]"?: string;
        /** @description Cards with a relation to any of these cards, see `relation_type` and `direction`. */
        related_to?: string;
        /** @description The same with the cards of the subtrees of these cards, including them. */
        related_root_id?: string;
        /** @description Only relations of these types for `related_to` and `related_root_id`, one of which is required. */
        relation_type?: string;
        /** @description Cards with at least one relation of any of these types, or `none` for cards without relations. As everywhere, only relations between active cards that the caller may see count. */
        has_relation?: string;
        /** @description Cards without a relation of any of these types. */
        lacks_relation?: string;
        /** @description Direction of the relations of the filters above, as seen from the listed card: `outgoing` means that it is the source. Default: both. */
        direction?: "outgoing" | "incoming" | "both";
        ids?: string;
        external_id?: string;
        /** @description Cards created at this time or later. */
        created_since?: string;
        /** @description Cards created before this time. */
        created_before?: string;
        /** @description Cards last changed at this time or later. */
        updated_since?: string;
        /** @description Cards last changed before this time. */
        updated_before?: string;
        /** @description Every word must match: as a prefix of a word in name, alias, external id or description, or as a part of name or alias. */
        search?: string;
      };
    };
    responses: {
      /** @description The report. */
      200: {
        content: {
          "application/json": components["schemas"]["DashboardReport"];
          "text/csv": string;
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
          "image/svg+xml": string;
          "image/png": string;
        };
      };
    };
  };
  getPortfolioReport: {
    parameters: {
      query: {
        format?: "json" | "csv" | "xlsx" | "svg" | "png";
        /** @description Width of the picture in pixels. */
        width?: number;
        /** @description Colours of the picture. */
        theme?: "light" | "dark";
        /** @description Language of labels and numbers, BCP 47; default: the first one of the workspace. */
        lang?: string;
        /** @description An instant of the past. Not supported yet: 422. */
        as_of?: string;
        /** @description The card type. */
        type: string;
        subtype?: string;
        /** @description `true`: cards without a subtype; `false`: cards with one. */
        "subtype[empty]"?: boolean;
        /** @description ACTIVE (default), ARCHIVED, or both. */
        status?: string;
        /** @description DRAFT, APPROVED, REJECTED, BROKEN. */
        approval_status?: string;
        /** @description Any of the phases that `lifecycle_phase` of the card shows today (UTC); `none` for cards where it is null. */
        lifecycle_phase?: string;
        /** @description Cards whose score, as shown to the caller, is at least this number. */
        "data_quality[gte]"?: number;
        /** @description Cards whose score, as shown to the caller, is less than this number. */
        "data_quality[lt]"?: number;
        /** @description Children of a card, or `null` for cards without a parent. */
        parent_id?: string;
        /** @description The whole subtree of a card, including the card. */
        root_id?: string;
        tag?: string;
        /** @description Cards on which the user has a stakeholder role; `me` for the caller. For other users `stakeholders.view` is required. */
        stakeholder_id?: string;
        /** @description Cards on which a user has any of these stakeholder roles; with `stakeholder_id`, one of those users. Requires `stakeholders.view`, except with `stakeholder_id=me`. */
        stakeholder_role?: string;
        /** @description Cards on which no user has any of these stakeholder roles; `any` for cards without stakeholders. Requires `stakeholders.view`. */
        "stakeholder_role[empty]"?: string;
        /** @description Cards with a relation to any of these cards, see `relation_type` and `direction`. */
        related_to?: string;
        /** @description The same with the cards of the subtrees of these cards, including them. */
        related_root_id?: string;
        /** @description Only relations of these types for `related_to` and `related_root_id`, one of which is required. */
        relation_type?: string;
        /** @description Cards with at least one relation of any of these types, or `none` for cards without relations. As everywhere, only relations between active cards that the caller may see count. */
        has_relation?: string;
        /** @description Cards without a relation of any of these types. */
        lacks_relation?: string;
        /** @description Direction of the relations of the filters above, as seen from the listed card: `outgoing` means that it is the source. Default: both. */
        direction?: "outgoing" | "incoming" | "both";
        ids?: string;
        external_id?: string;
        /** @description Cards created at this time or later. */
        created_since?: string;
        /** @description Cards created before this time. */
        created_before?: string;
        /** @description Cards last changed at this time or later. */
        updated_since?: string;
        /** @description Cards last changed before this time. */
        updated_before?: string;
        /** @description Every word must match: as a prefix of a word in name, alias, external id or description, or as a part of name or alias. */
        search?: string;
        /** @description The field of the columns. `type`, `subtype`, `approval_status`, `lifecycle_phase`, `data_quality`, or `attributes.<key>`. */
        x: string;
        /** @description The field of the rows. `type`, `subtype`, `approval_status`, `lifecycle_phase`, `data_quality`, or `attributes.<key>`. */
        y: string;
        /** @description A number or cost that is summed in each bucket. `type`, `subtype`, `approval_status`, `lifecycle_phase`, `data_quality`, or `attributes.<key>`. */
        size?: string;
        /** @description A field by which each bucket is split. `type`, `subtype`, `approval_status`, `lifecycle_phase`, `data_quality`, or `attributes.<key>`. */
        color?: string;
        /** @description A field by which each bucket is repeated, such as a portfolio per subtype. `type`, `subtype`, `approval_status`, `lifecycle_phase`, `data_quality`, or `attributes.<key>`. */
        group_by?: string;
      };
    };
    responses: {
      /** @description The report. */
      200: {
        content: {
          "application/json": components["schemas"]["PortfolioReport"];
          "text/csv": string;
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
          "image/svg+xml": string;
          "image/png": string;
        };
      };
    };
  };
  getCostReport: {
    parameters: {
      query: {
        format?: "json" | "csv" | "xlsx" | "svg" | "png";
        /** @description Width of the picture in pixels. */
        width?: number;
        /** @description Colours of the picture. */
        theme?: "light" | "dark";
        /** @description Language of labels and numbers, BCP 47; default: the first one of the workspace. */
        lang?: string;
        /** @description An instant of the past. Not supported yet: 422. */
        as_of?: string;
        /** @description Card types, comma separated: any of. */
        type?: string;
        subtype?: string;
        /** @description `true`: cards without a subtype; `false`: cards with one. */
        "subtype[empty]"?: boolean;
        /** @description ACTIVE (default), ARCHIVED, or both. */
        status?: string;
        /** @description DRAFT, APPROVED, REJECTED, BROKEN. */
        approval_status?: string;
        /** @description Any of the phases that `lifecycle_phase` of the card shows today (UTC); `none` for cards where it is null. */
        lifecycle_phase?: string;
        /** @description Cards whose score, as shown to the caller, is at least this number. */
        "data_quality[gte]"?: number;
        /** @description Cards whose score, as shown to the caller, is less than this number. */
        "data_quality[lt]"?: number;
        /** @description Children of a card, or `null` for cards without a parent. */
        parent_id?: string;
        /** @description The whole subtree of a card, including the card. */
        root_id?: string;
        tag?: string;
        /** @description Cards on which the user has a stakeholder role; `me` for the caller. For other users `stakeholders.view` is required. */
        stakeholder_id?: string;
        /** @description Cards on which a user has any of these stakeholder roles; with `stakeholder_id`, one of those users. Requires `stakeholders.view`, except with `stakeholder_id=me`. */
        stakeholder_role?: string;
        /** @description Cards on which no user has any of these stakeholder roles; `any` for cards without stakeholders. Requires `stakeholders.view`. */
        "stakeholder_role[empty]"?: string;
        /** @description Cards with a relation to any of these cards, see `relation_type` and `direction`. */
        related_to?: string;
        /** @description The same with the cards of the subtrees of these cards, including them. */
        related_root_id?: string;
        /** @description Only relations of these types for `related_to` and `related_root_id`, one of which is required. */
        relation_type?: string;
        /** @description Cards with at least one relation of any of these types, or `none` for cards without relations. As everywhere, only relations between active cards that the caller may see count. */
        has_relation?: string;
        /** @description Cards without a relation of any of these types. */
        lacks_relation?: string;
        /** @description Direction of the relations of the filters above, as seen from the listed card: `outgoing` means that it is the source. Default: both. */
        direction?: "outgoing" | "incoming" | "both";
        ids?: string;
        external_id?: string;
        /** @description Cards created at this time or later. */
        created_since?: string;
        /** @description Cards created before this time. */
        created_before?: string;
        /** @description Cards last changed at this time or later. */
        updated_since?: string;
        /** @description Cards last changed before this time. */
        updated_before?: string;
        /** @description Every word must match: as a prefix of a word in name, alias, external id or description, or as a part of name or alias. */
        search?: string;
        /** @description The cost that is summed. `type`, `subtype`, `approval_status`, `lifecycle_phase`, `data_quality`, or `attributes.<key>`. */
        field: string;
        /** @description `type` or another field as in the portfolio; `parent` for the hierarchy of the cards; or the key of a relation type: by the cards at its other end, with their hierarchy. */
        group_by?: string;
      };
    };
    responses: {
      /** @description The report. */
      200: {
        content: {
          "application/json": components["schemas"]["CostReport"];
          "text/csv": string;
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
          "image/svg+xml": string;
          "image/png": string;
        };
      };
    };
  };
  getDataQualityReport: {
    parameters: {
      query?: {
        format?: "json" | "csv" | "xlsx" | "svg" | "png";
        /** @description Width of the picture in pixels. */
        width?: number;
        /** @description Colours of the picture. */
        theme?: "light" | "dark";
        /** @description Language of labels and numbers, BCP 47; default: the first one of the workspace. */
        lang?: string;
        /** @description An instant of the past. Not supported yet: 422. */
        as_of?: string;
        /** @description Card types, comma separated: any of. */
        type?: string;
        subtype?: string;
        /** @description `true`: cards without a subtype; `false`: cards with one. */
        "subtype[empty]"?: boolean;
        /** @description ACTIVE (default), ARCHIVED, or both. */
        status?: string;
        /** @description DRAFT, APPROVED, REJECTED, BROKEN. */
        approval_status?: string;
        /** @description Any of the phases that `lifecycle_phase` of the card shows today (UTC); `none` for cards where it is null. */
        lifecycle_phase?: string;
        /** @description Cards whose score, as shown to the caller, is at least this number. */
        "data_quality[gte]"?: number;
        /** @description Cards whose score, as shown to the caller, is less than this number. */
        "data_quality[lt]"?: number;
        /** @description Children of a card, or `null` for cards without a parent. */
        parent_id?: string;
        /** @description The whole subtree of a card, including the card. */
        root_id?: string;
        tag?: string;
        /** @description Cards on which the user has a stakeholder role; `me` for the caller. For other users `stakeholders.view` is required. */
        stakeholder_id?: string;
        /** @description Cards on which a user has any of these stakeholder roles; with `stakeholder_id`, one of those users. Requires `stakeholders.view`, except with `stakeholder_id=me`. */
        stakeholder_role?: string;
        /** @description Cards on which no user has any of these stakeholder roles; `any` for cards without stakeholders. Requires `stakeholders.view`. */
        "stakeholder_role[empty]"?: string;
        /** @description Cards with a relation to any of these cards, see `relation_type` and `direction`. */
        related_to?: string;
        /** @description The same with the cards of the subtrees of these cards, including them. */
        related_root_id?: string;
        /** @description Only relations of these types for `related_to` and `related_root_id`, one of which is required. */
        relation_type?: string;
        /** @description Cards with at least one relation of any of these types, or `none` for cards without relations. As everywhere, only relations between active cards that the caller may see count. */
        has_relation?: string;
        /** @description Cards without a relation of any of these types. */
        lacks_relation?: string;
        /** @description Direction of the relations of the filters above, as seen from the listed card: `outgoing` means that it is the source. Default: both. */
        direction?: "outgoing" | "incoming" | "both";
        ids?: string;
        external_id?: string;
        /** @description Cards created at this time or later. */
        created_since?: string;
        /** @description Cards created before this time. */
        created_before?: string;
        /** @description Cards last changed at this time or later. */
        updated_since?: string;
        /** @description Cards last changed before this time. */
        updated_before?: string;
        /** @description Every word must match: as a prefix of a word in name, alias, external id or description, or as a part of name or alias. */
        search?: string;
      };
    };
    responses: {
      /** @description The report. */
      200: {
        content: {
          "application/json": components["schemas"]["DataQualityReport"];
          "text/csv": string;
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
          "image/svg+xml": string;
          "image/png": string;
        };
      };
    };
  };
  getStakeholdersReport: {
    parameters: {
      query?: {
        format?: "json" | "csv" | "xlsx" | "svg" | "png";
        /** @description Width of the picture in pixels. */
        width?: number;
        /** @description Colours of the picture. */
        theme?: "light" | "dark";
        /** @description Language of labels and numbers, BCP 47; default: the first one of the workspace. */
        lang?: string;
        /** @description An instant of the past. Not supported yet: 422. */
        as_of?: string;
        /** @description Card types, comma separated: any of. */
        type?: string;
        subtype?: string;
        /** @description `true`: cards without a subtype; `false`: cards with one. */
        "subtype[empty]"?: boolean;
        /** @description ACTIVE (default), ARCHIVED, or both. */
        status?: string;
        /** @description DRAFT, APPROVED, REJECTED, BROKEN. */
        approval_status?: string;
        /** @description Any of the phases that `lifecycle_phase` of the card shows today (UTC); `none` for cards where it is null. */
        lifecycle_phase?: string;
        /** @description Cards whose score, as shown to the caller, is at least this number. */
        "data_quality[gte]"?: number;
        /** @description Cards whose score, as shown to the caller, is less than this number. */
        "data_quality[lt]"?: number;
        /** @description Children of a card, or `null` for cards without a parent. */
        parent_id?: string;
        /** @description The whole subtree of a card, including the card. */
        root_id?: string;
        tag?: string;
        /** @description Cards on which the user has a stakeholder role; `me` for the caller. For other users `stakeholders.view` is required. */
        stakeholder_id?: string;
        /** @description Cards on which a user has any of these stakeholder roles; with `stakeholder_id`, one of those users. Requires `stakeholders.view`, except with `stakeholder_id=me`. */
        stakeholder_role?: string;
        /** @description Cards on which no user has any of these stakeholder roles; `any` for cards without stakeholders. Requires `stakeholders.view`. */
        "stakeholder_role[empty]"?: string;
        /** @description Cards with a relation to any of these cards, see `relation_type` and `direction`. */
        related_to?: string;
        /** @description The same with the cards of the subtrees of these cards, including them. */
        related_root_id?: string;
        /** @description Only relations of these types for `related_to` and `related_root_id`, one of which is required. */
        relation_type?: string;
        /** @description Cards with at least one relation of any of these types, or `none` for cards without relations. As everywhere, only relations between active cards that the caller may see count. */
        has_relation?: string;
        /** @description Cards without a relation of any of these types. */
        lacks_relation?: string;
        /** @description Direction of the relations of the filters above, as seen from the listed card: `outgoing` means that it is the source. Default: both. */
        direction?: "outgoing" | "incoming" | "both";
        ids?: string;
        external_id?: string;
        /** @description Cards created at this time or later. */
        created_since?: string;
        /** @description Cards created before this time. */
        created_before?: string;
        /** @description Cards last changed at this time or later. */
        updated_since?: string;
        /** @description Cards last changed before this time. */
        updated_before?: string;
        /** @description Every word must match: as a prefix of a word in name, alias, external id or description, or as a part of name or alias. */
        search?: string;
      };
    };
    responses: {
      /** @description The report. */
      200: {
        content: {
          "application/json": components["schemas"]["StakeholdersReport"];
          "text/csv": string;
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
          "image/svg+xml": string;
          "image/png": string;
        };
      };
    };
  };
  getMatrixReport: {
    parameters: {
      query: {
        format?: "json" | "csv" | "xlsx" | "svg" | "png";
        /** @description Width of the picture in pixels. */
        width?: number;
        /** @description Colours of the picture. */
        theme?: "light" | "dark";
        /** @description Language of labels and numbers, BCP 47; default: the first one of the workspace. */
        lang?: string;
        /** @description An instant of the past. Not supported yet: 422. */
        as_of?: string;
        /** @description Card types, comma separated: any of. */
        type?: string;
        subtype?: string;
        /** @description `true`: cards without a subtype; `false`: cards with one. */
        "subtype[empty]"?: boolean;
        /** @description ACTIVE (default), ARCHIVED, or both. */
        status?: string;
        /** @description DRAFT, APPROVED, REJECTED, BROKEN. */
        approval_status?: string;
        /** @description Any of the phases that `lifecycle_phase` of the card shows today (UTC); `none` for cards where it is null. */
        lifecycle_phase?: string;
        /** @description Cards whose score, as shown to the caller, is at least this number. */
        "data_quality[gte]"?: number;
        /** @description Cards whose score, as shown to the caller, is less than this number. */
        "data_quality[lt]"?: number;
        /** @description Children of a card, or `null` for cards without a parent. */
        parent_id?: string;
        /** @description The whole subtree of a card, including the card. */
        root_id?: string;
        tag?: string;
        /** @description Cards on which the user has a stakeholder role; `me` for the caller. For other users `stakeholders.view` is required. */
        stakeholder_id?: string;
        /** @description Cards on which a user has any of these stakeholder roles; with `stakeholder_id`, one of those users. Requires `stakeholders.view`, except with `stakeholder_id=me`. */
        stakeholder_role?: string;
        /** @description Cards on which no user has any of these stakeholder roles; `any` for cards without stakeholders. Requires `stakeholders.view`. */
        "stakeholder_role[empty]"?: string;
        /** @description Cards with a relation to any of these cards, see `relation_type` and `direction`. */
        related_to?: string;
        /** @description The same with the cards of the subtrees of these cards, including them. */
        related_root_id?: string;
        /** @description The relation type that connects them, in either direction. */
        relation_type: string;
        /** @description Cards with at least one relation of any of these types, or `none` for cards without relations. As everywhere, only relations between active cards that the caller may see count. */
        has_relation?: string;
        /** @description Cards without a relation of any of these types. */
        lacks_relation?: string;
        /** @description As seen from the rows; only relations of this direction count. Default: the one in which the type connects rows and columns; outgoing, if both do. */
        direction?: "outgoing" | "incoming";
        ids?: string;
        external_id?: string;
        /** @description Cards created at this time or later. */
        created_since?: string;
        /** @description Cards created before this time. */
        created_before?: string;
        /** @description Cards last changed at this time or later. */
        updated_since?: string;
        /** @description Cards last changed before this time. */
        updated_before?: string;
        /** @description Every word must match: as a prefix of a word in name, alias, external id or description, or as a part of name or alias. */
        search?: string;
        /** @description The card type of the rows. Filters of cards narrow the rows. */
        row_type: string;
        /** @description The card type of the columns. */
        col_type: string;
        /** @description `count`, or an attribute of the relations: numbers are summed, values of a list are counted. */
        measure?: string;
        /** @description Cards of the rows below this level are added up in the card above them at this level. */
        row_level?: number;
        /** @description Cards of the columns below this level are added up in the card above them at this level. */
        col_level?: number;
        /** @description Whether cards without such a relation have a row or column as well. */
        empty?: boolean;
      };
    };
    responses: {
      /** @description The report. */
      200: {
        content: {
          "application/json": components["schemas"]["MatrixReport"];
          "text/csv": string;
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
          "image/svg+xml": string;
          "image/png": string;
        };
      };
    };
  };
  getLandscapeReport: {
    parameters: {
      query: {
        format?: "json" | "csv" | "xlsx" | "svg" | "png";
        /** @description Width of the picture in pixels. */
        width?: number;
        /** @description Colours of the picture. */
        theme?: "light" | "dark";
        /** @description Language of labels and numbers, BCP 47; default: the first one of the workspace. */
        lang?: string;
        /** @description An instant of the past. Not supported yet: 422. */
        as_of?: string;
        /** @description The card type of the cards that are nested. Filters of cards narrow these. */
        type: string;
        subtype?: string;
        /** @description `true`: cards without a subtype; `false`: cards with one. */
        "subtype[empty]"?: boolean;
        /** @description ACTIVE (default), ARCHIVED, or both. */
        status?: string;
        /** @description DRAFT, APPROVED, REJECTED, BROKEN. */
        approval_status?: string;
        /** @description Any of the phases that `lifecycle_phase` of the card shows today (UTC); `none` for cards where it is null. */
        lifecycle_phase?: string;
        /** @description Cards whose score, as shown to the caller, is at least this number. */
        "data_quality[gte]"?: number;
        /** @description Cards whose score, as shown to the caller, is less than this number. */
        "data_quality[lt]"?: number;
        /** @description Children of a card, or `null` for cards without a parent. */
        parent_id?: string;
        /** @description The whole subtree of a card, including the card. */
        root_id?: string;
        tag?: string;
        /** @description Cards on which the user has a stakeholder role; `me` for the caller. For other users `stakeholders.view` is required. */
        stakeholder_id?: string;
        /** @description Cards on which a user has any of these stakeholder roles; with `stakeholder_id`, one of those users. Requires `stakeholders.view`, except with `stakeholder_id=me`. */
        stakeholder_role?: string;
        /** @description Cards on which no user has any of these stakeholder roles; `any` for cards without stakeholders. Requires `stakeholders.view`. */
        "stakeholder_role[empty]"?: string;
        /** @description Cards with a relation to any of these cards, see `relation_type` and `direction`. */
        related_to?: string;
        /** @description The same with the cards of the subtrees of these cards, including them. */
        related_root_id?: string;
        /** @description The relation type that connects them, in either direction. Default: the only one made for these types. */
        relation_type?: string;
        /** @description Cards with at least one relation of any of these types, or `none` for cards without relations. As everywhere, only relations between active cards that the caller may see count. */
        has_relation?: string;
        /** @description Cards without a relation of any of these types. */
        lacks_relation?: string;
        /** @description Direction of the relations of the filters above, as seen from the listed card: `outgoing` means that it is the source. Default: both. */
        direction?: "outgoing" | "incoming" | "both";
        ids?: string;
        external_id?: string;
        /** @description Cards created at this time or later. */
        created_since?: string;
        /** @description Cards created before this time. */
        created_before?: string;
        /** @description Cards last changed at this time or later. */
        updated_since?: string;
        /** @description Cards last changed before this time. */
        updated_before?: string;
        /** @description Every word must match: as a prefix of a word in name, alias, external id or description, or as a part of name or alias. */
        search?: string;
        /** @description The card type of the boxes, nested by its hierarchy. */
        parent_type: string;
        /** @description A field of the cards with one value, by which they are coloured. `type`, `subtype`, `approval_status`, `lifecycle_phase`, `data_quality`, or `attributes.<key>`. */
        color_by?: string;
        /** @description Boxes below this level are omitted; their cards are in the box above them at this level. */
        level?: number;
      };
    };
    responses: {
      /** @description The report. */
      200: {
        content: {
          "application/json": components["schemas"]["LandscapeReport"];
          "text/csv": string;
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
          "image/svg+xml": string;
          "image/png": string;
        };
      };
    };
  };
  getDependenciesReport: {
    parameters: {
      query?: {
        format?: "json" | "csv" | "xlsx" | "svg" | "png";
        /** @description Width of the picture in pixels. */
        width?: number;
        /** @description Colours of the picture. */
        theme?: "light" | "dark";
        /** @description Language of labels and numbers, BCP 47; default: the first one of the workspace. */
        lang?: string;
        /** @description An instant of the past. Not supported yet: 422. */
        as_of?: string;
        /** @description The card type of the graph, which the filters of cards narrow; or `card_id`. */
        type?: string;
        subtype?: string;
        /** @description `true`: cards without a subtype; `false`: cards with one. */
        "subtype[empty]"?: boolean;
        /** @description ACTIVE (default), ARCHIVED, or both. */
        status?: string;
        /** @description DRAFT, APPROVED, REJECTED, BROKEN. */
        approval_status?: string;
        /** @description Any of the phases that `lifecycle_phase` of the card shows today (UTC); `none` for cards where it is null. */
        lifecycle_phase?: string;
        /** @description Cards whose score, as shown to the caller, is at least this number. */
        "data_quality[gte]"?: number;
        /** @description Cards whose score, as shown to the caller, is less than this number. */
        "data_quality[lt]"?: number;
        /** @description Children of a card, or `null` for cards without a parent. */
        parent_id?: string;
        /** @description The whole subtree of a card, including the card. */
        root_id?: string;
        tag?: string;
        /** @description Cards on which the user has a stakeholder role; `me` for the caller. For other users `stakeholders.view` is required. */
        stakeholder_id?: string;
        /** @description Cards on which a user has any of these stakeholder roles; with `stakeholder_id`, one of those users. Requires `stakeholders.view`, except with `stakeholder_id=me`. */
        stakeholder_role?: string;
        /** @description Cards on which no user has any of these stakeholder roles; `any` for cards without stakeholders. Requires `stakeholders.view`. */
        "stakeholder_role[empty]"?: string;
        /** @description Cards with a relation to any of these cards, see `relation_type` and `direction`. */
        related_to?: string;
        /** @description The same with the cards of the subtrees of these cards, including them. */
        related_root_id?: string;
        /** @description Relation types to follow, comma-separated; default: all. */
        relation_type?: string;
        /** @description Cards with at least one relation of any of these types, or `none` for cards without relations. As everywhere, only relations between active cards that the caller may see count. */
        has_relation?: string;
        /** @description Cards without a relation of any of these types. */
        lacks_relation?: string;
        /** @description downstream follows relations from source to target, upstream from target to source. */
        direction?: "downstream" | "upstream" | "both";
        ids?: string;
        external_id?: string;
        /** @description Cards created at this time or later. */
        created_since?: string;
        /** @description Cards created before this time. */
        created_before?: string;
        /** @description Cards last changed at this time or later. */
        updated_since?: string;
        /** @description Cards last changed before this time. */
        updated_before?: string;
        /** @description Every word must match: as a prefix of a word in name, alias, external id or description, or as a part of name or alias. */
        search?: string;
        /** @description The card around which the graph is; or `type`. */
        card_id?: string;
        /** @description Maximum distance from the card, in relations. With `type`: 1 for the relations among its cards only; more for the cards at the other ends of their relations as well. */
        depth?: number;
      };
    };
    responses: {
      /** @description The report. */
      200: {
        content: {
          "application/json": components["schemas"]["DependenciesReport"];
          "text/csv": string;
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
          "image/svg+xml": string;
          "image/png": string;
        };
      };
    };
  };
  getLifecycleReport: {
    parameters: {
      query: {
        format?: "json" | "csv" | "xlsx" | "svg" | "png";
        /** @description Width of the picture in pixels. */
        width?: number;
        /** @description Colours of the picture. */
        theme?: "light" | "dark";
        /** @description Language of labels and numbers, BCP 47; default: the first one of the workspace. */
        lang?: string;
        /** @description An instant of the past. Not supported yet: 422. */
        as_of?: string;
        /** @description The card type. */
        type: string;
        subtype?: string;
        /** @description `true`: cards without a subtype; `false`: cards with one. */
        "subtype[empty]"?: boolean;
        /** @description ACTIVE (default), ARCHIVED, or both. */
        status?: string;
        /** @description DRAFT, APPROVED, REJECTED, BROKEN. */
        approval_status?: string;
        /** @description Any of the phases that `lifecycle_phase` of the card shows today (UTC); `none` for cards where it is null. */
        lifecycle_phase?: string;
        /** @description Cards whose score, as shown to the caller, is at least this number. */
        "data_quality[gte]"?: number;
        /** @description Cards whose score, as shown to the caller, is less than this number. */
        "data_quality[lt]"?: number;
        /** @description Children of a card, or `null` for cards without a parent. */
        parent_id?: string;
        /** @description The whole subtree of a card, including the card. */
        root_id?: string;
        tag?: string;
        /** @description Cards on which the user has a stakeholder role; `me` for the caller. For other users `stakeholders.view` is required. */
        stakeholder_id?: string;
        /** @description Cards on which a user has any of these stakeholder roles; with `stakeholder_id`, one of those users. Requires `stakeholders.view`, except with `stakeholder_id=me`. */
        stakeholder_role?: string;
        /** @description Cards on which no user has any of these stakeholder roles; `any` for cards without stakeholders. Requires `stakeholders.view`. */
        "stakeholder_role[empty]"?: string;
        /** @description Cards with a relation to any of these cards, see `relation_type` and `direction`. */
        related_to?: string;
        /** @description The same with the cards of the subtrees of these cards, including them. */
        related_root_id?: string;
        /** @description Only relations of these types for `related_to` and `related_root_id`, one of which is required. */
        relation_type?: string;
        /** @description Cards with at least one relation of any of these types, or `none` for cards without relations. As everywhere, only relations between active cards that the caller may see count. */
        has_relation?: string;
        /** @description Cards without a relation of any of these types. */
        lacks_relation?: string;
        /** @description Direction of the relations of the filters above, as seen from the listed card: `outgoing` means that it is the source. Default: both. */
        direction?: "outgoing" | "incoming" | "both";
        ids?: string;
        external_id?: string;
        /** @description Cards created at this time or later. */
        created_since?: string;
        /** @description Cards created before this time. */
        created_before?: string;
        /** @description Cards last changed at this time or later. */
        updated_since?: string;
        /** @description Cards last changed before this time. */
        updated_before?: string;
        /** @description Every word must match: as a prefix of a word in name, alias, external id or description, or as a part of name or alias. */
        search?: string;
        /** @description A field with one value, by which the cards are grouped. `type`, `subtype`, `approval_status`, `lifecycle_phase`, `data_quality`, or `attributes.<key>`. */
        group_by?: string;
        /** @description The first day of the axis, or a year. */
        from?: string;
        /** @description The last day of the axis, or a year. */
        to?: string;
      };
    };
    responses: {
      /** @description The report. */
      200: {
        content: {
          "application/json": components["schemas"]["LifecycleReportPage"];
          "text/csv": string;
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
          "image/svg+xml": string;
          "image/png": string;
        };
      };
    };
  };
  getEndOfLifeReport: {
    parameters: {
      query?: {
        format?: "json" | "csv" | "xlsx" | "svg" | "png";
        /** @description Width of the picture in pixels. */
        width?: number;
        /** @description Colours of the picture. */
        theme?: "light" | "dark";
        /** @description Language of labels and numbers, BCP 47; default: the first one of the workspace. */
        lang?: string;
        /** @description An instant of the past. Not supported yet: 422. */
        as_of?: string;
        /** @description Card types, comma separated: any of. */
        type?: string;
        subtype?: string;
        /** @description `true`: cards without a subtype; `false`: cards with one. */
        "subtype[empty]"?: boolean;
        /** @description ACTIVE (default), ARCHIVED, or both. */
        status?: string;
        /** @description DRAFT, APPROVED, REJECTED, BROKEN. */
        approval_status?: string;
        /** @description Any of the phases that `lifecycle_phase` of the card shows today (UTC); `none` for cards where it is null. */
        lifecycle_phase?: string;
        /** @description Cards whose score, as shown to the caller, is at least this number. */
        "data_quality[gte]"?: number;
        /** @description Cards whose score, as shown to the caller, is less than this number. */
        "data_quality[lt]"?: number;
        /** @description Children of a card, or `null` for cards without a parent. */
        parent_id?: string;
        /** @description The whole subtree of a card, including the card. */
        root_id?: string;
        tag?: string;
        /** @description Cards on which the user has a stakeholder role; `me` for the caller. For other users `stakeholders.view` is required. */
        stakeholder_id?: string;
        /** @description Cards on which a user has any of these stakeholder roles; with `stakeholder_id`, one of those users. Requires `stakeholders.view`, except with `stakeholder_id=me`. */
        stakeholder_role?: string;
        /** @description Cards on which no user has any of these stakeholder roles; `any` for cards without stakeholders. Requires `stakeholders.view`. */
        "stakeholder_role[empty]"?: string;
        /** @description Cards with a relation to any of these cards, see `relation_type` and `direction`. */
        related_to?: string;
        /** @description The same with the cards of the subtrees of these cards, including them. */
        related_root_id?: string;
        /** @description Only relations of these types for `related_to` and `related_root_id`, one of which is required. */
        relation_type?: string;
        /** @description Cards with at least one relation of any of these types, or `none` for cards without relations. As everywhere, only relations between active cards that the caller may see count. */
        has_relation?: string;
        /** @description Cards without a relation of any of these types. */
        lacks_relation?: string;
        /** @description Direction of the relations of the filters above, as seen from the listed card: `outgoing` means that it is the source. Default: both. */
        direction?: "outgoing" | "incoming" | "both";
        ids?: string;
        external_id?: string;
        /** @description Cards created at this time or later. */
        created_since?: string;
        /** @description Cards created before this time. */
        created_before?: string;
        /** @description Cards last changed at this time or later. */
        updated_since?: string;
        /** @description Cards last changed before this time. */
        updated_before?: string;
        /** @description Every word must match: as a prefix of a word in name, alias, external id or description, or as a part of name or alias. */
        search?: string;
        /** @description The end of life is soon if it is within so many days after today. */
        horizon_days?: number;
        /** @description Card types that count as dependents, comma-separated; default: all. */
        dependent_type?: string;
      };
    };
    responses: {
      /** @description The report. */
      200: {
        content: {
          "application/json": components["schemas"]["EndOfLifeReportPage"];
          "text/csv": string;
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
          "image/svg+xml": string;
          "image/png": string;
        };
      };
    };
  };
  getSavedReportResult: {
    parameters: {
      query?: {
        format?: "json" | "csv" | "xlsx" | "svg" | "png";
        /** @description Pixels, of a picture. */
        width?: number;
        /** @description Colours of a picture. */
        theme?: "light" | "dark";
        /** @description Language of labels and numbers, BCP 47, instead of a saved one. */
        lang?: string;
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description The report. */
      200: {
        content: {
          "application/json": {
            [key: string]: unknown;
          };
          "text/csv": string;
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
          "image/svg+xml": string;
          "image/png": string;
        };
      };
    };
  };
  listSavedReports: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of name, report, visibility, created_at, updated_at; `id` breaks ties. */
        sort_by?: "name" | "report" | "visibility" | "created_at" | "updated_at";
        /** @description Any of these values of report, by comma. */
        report?: string;
        /** @description Any of these by comma: private, shared, public. */
        visibility?: string;
        /** @description The id of a user, or `me`. */
        owner?: string;
        /** @description Every word must occur in name, description. */
        search?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SavedReportPage"];
        };
      };
    };
  };
  createSavedReport: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SavedReportCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["SavedReport"];
        };
      };
    };
  };
  getSavedReport: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SavedReport"];
        };
      };
    };
  };
  deleteSavedReport: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateSavedReport: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SavedReportPatch"];
        "application/merge-patch+json": components["schemas"]["SavedReportPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SavedReport"];
        };
      };
    };
  };
  getSavedReportHistory: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of at; `id` breaks ties. */
        sort_by?: "at";
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmAssessmentHistoryPage"];
        };
      };
    };
  };
  getModuleReport: {
    parameters: {
      query?: {
        format?: "json" | "csv" | "xlsx" | "svg" | "png";
      };
      path: {
        report: string;
      };
    };
    responses: {
      /** @description The report. */
      200: {
        content: {
          "application/json": {
            [key: string]: unknown;
          };
          "text/csv": string;
          "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
          "image/svg+xml": string;
          "image/png": string;
        };
      };
    };
  };
  getRiskMetrics: {
    parameters: {
      query?: {
        /** @description Any of these by comma: security, compliance, operational, technology, financial, reputational, strategic. */
        category?: string;
        /** @description Ids of users by comma; `me` is the caller, `none` are risks without an owner. */
        owner?: string;
        /** @description A linked card. */
        card_id?: string;
        /** @description Of that card, or of some card. Any of these by comma: affected, contributing, control_owner. */
        card_role?: string;
        /** @description Every word must occur in reference, title, description. */
        search?: string;
        /** @description Months of the trend, the current one included. */
        months?: number;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RiskMetrics"];
        };
      };
    };
  };
  getRiskMatrix: {
    parameters: {
      query?: {
        /** @description Which of the two judgements. */
        kind?: "initial" | "residual";
        format?: "json" | "svg";
        /** @description Language of the image, BCP 47; default: the first one of the workspace. */
        lang?: string;
        /** @description Any of these by comma: identified, analysed, mitigation_planned, in_progress, mitigated, monitoring, accepted, closed; default: all except closed. */
        status?: string;
        /** @description Any of these by comma: security, compliance, operational, technology, financial, reputational, strategic. */
        category?: string;
        /** @description Ids of users by comma; `me` is the caller, `none` are risks without an owner. */
        owner?: string;
        /** @description A linked card. */
        card_id?: string;
        /** @description Of that card, or of some card. Any of these by comma: affected, contributing, control_owner. */
        card_role?: string;
        /** @description Every word must occur in reference, title, description. */
        search?: string;
        /** @description Whether the target date has passed and the risk is not yet mitigated, accepted or closed. */
        overdue?: boolean;
      };
    };
    responses: {
      /** @description The matrix. */
      200: {
        content: {
          "application/json": components["schemas"]["RiskMatrix"];
          "image/svg+xml": string;
        };
      };
    };
  };
  getRiskPropagation: {
    parameters: {
      query?: {
        /** @description downstream follows relations from source to target, upstream from target to source. */
        direction?: "downstream" | "upstream" | "both";
        /** @description Relations from a card of the risk to the farthest ones. */
        depth?: number;
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RiskPropagation"];
        };
      };
    };
  };
  listRisks: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of reference, title, status, category, level, target_date, created_at, updated_at; `id` breaks ties. */
        sort_by?: "reference" | "title" | "status" | "category" | "level" | "target_date" | "created_at" | "updated_at";
        /** @description Any of these by comma: identified, analysed, mitigation_planned, in_progress, mitigated, monitoring, accepted, closed. */
        status?: string;
        /** @description Any of these by comma: security, compliance, operational, technology, financial, reputational, strategic. */
        category?: string;
        /** @description Any of these by comma: critical, high, medium, low; none: those without. */
        level?: string;
        /** @description Any of these by comma: critical, high, medium, low; none: those without. */
        initial_level?: string;
        /** @description Any of these by comma: critical, high, medium, low; none: those without. */
        residual_level?: string;
        /** @description Any of these by comma: very_high, high, medium, low; none: those without. */
        initial_probability?: string;
        /** @description Any of these by comma: critical, high, medium, low; none: those without. */
        initial_impact?: string;
        /** @description Any of these by comma: very_high, high, medium, low; none: those without. */
        residual_probability?: string;
        /** @description Any of these by comma: critical, high, medium, low; none: those without. */
        residual_impact?: string;
        /** @description Ids of users by comma; `me` is the caller, `none` are risks without an owner. */
        owner?: string;
        /** @description Whether the target date has passed and the risk is not yet mitigated, accepted or closed. */
        overdue?: boolean;
        /** @description Made from, that day (UTC) included. */
        created_from?: string;
        /** @description Made up to, that day (UTC) included. */
        created_to?: string;
        /** @description Closed from, that day (UTC) included. */
        closed_from?: string;
        /** @description Closed up to, that day (UTC) included. */
        closed_to?: string;
        /** @description A linked card. */
        card_id?: string;
        /** @description Of that card, or of some card. Any of these by comma: affected, contributing, control_owner. */
        card_role?: string;
        /** @description Every word must occur in reference, title, description. */
        search?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RiskPage"];
        };
      };
    };
  };
  createRisk: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RiskCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Risk"];
        };
      };
    };
  };
  bulkRisks: {
    parameters: {
      query?: {
        /** @description All checks and the full result; nothing is stored. */
        dry_run?: boolean;
      };
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RiskBulk"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RiskBulkResult"];
        };
      };
    };
  };
  getRisk: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Risk"];
        };
      };
    };
  };
  deleteRisk: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateRisk: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RiskPatch"];
        "application/merge-patch+json": components["schemas"]["RiskPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Risk"];
        };
      };
    };
  };
  moveRisk: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["MoveRiskBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Risk"];
        };
      };
    };
  };
  listRiskFiles: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of created_at, name; `id` breaks ties. */
        sort_by?: "created_at" | "name";
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["ListRiskFilesPage"];
        };
      };
    };
  };
  addRiskFiles: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "multipart/form-data": components["schemas"]["RiskFilesCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["RiskFilePage"];
        };
      };
    };
  };
  getRiskFile: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
        file_id: string;
      };
    };
    responses: {
      /** @description The file, with its media type. */
      200: {
        content: {
          "*/*": string;
        };
      };
    };
  };
  deleteRiskFile: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
        file_id: string;
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  getRiskHistory: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of at; `id` breaks ties. */
        sort_by?: "at";
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RiskHistoryPage"];
        };
      };
    };
  };
  listRiskCards: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of role, card_id; `id` breaks ties. */
        sort_by?: "role" | "card_id";
        /** @description Any of these by comma: affected, contributing, control_owner. */
        role?: string;
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RiskCardPage"];
        };
      };
    };
  };
  addRiskCard: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RiskCardCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["RiskCard"];
        };
      };
    };
  };
  getRiskCard: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
        card_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RiskCard"];
        };
      };
    };
  };
  setRiskCard: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
        card_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RiskCardReplacement"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RiskCard"];
        };
      };
    };
  };
  removeRiskCard: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
        card_id: string;
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  listRiskMitigations: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of title, status, due_date, created_at, updated_at; `id` breaks ties. */
        sort_by?: "title" | "status" | "due_date" | "created_at" | "updated_at";
        /** @description Any of these by comma: planned, in_progress, done, cancelled. */
        status?: string;
        /** @description Ids of users by comma. */
        owner_id?: string;
        due_date_from?: string;
        due_date_to?: string;
        /** @description Every word must occur in the title or the description. */
        search?: string;
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RiskMitigationPage"];
        };
      };
    };
  };
  createRiskMitigation: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RiskMitigationCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["RiskMitigation"];
        };
      };
    };
  };
  getRiskMitigation: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
        mitigation_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RiskMitigation"];
        };
      };
    };
  };
  deleteRiskMitigation: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
        mitigation_id: string;
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateRiskMitigation: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
        mitigation_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RiskMitigationPatch"];
        "application/merge-patch+json": components["schemas"]["RiskMitigationPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RiskMitigation"];
        };
      };
    };
  };
  getRiskMitigationHistory: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of at; `id` breaks ties. */
        sort_by?: "at";
      };
      path: {
        id: components["parameters"]["Id"];
        mitigation_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RiskMitigationHistoryPage"];
        };
      };
    };
  };
  listRiskOccurrences: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of number; `id` breaks ties. */
        sort_by?: "number";
        /** @description Any of these by comma: open, done, skipped, cancelled. */
        status?: string;
      };
      path: {
        id: components["parameters"]["Id"];
        mitigation_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RiskOccurrencePage"];
        };
      };
    };
  };
  completeRiskOccurrence: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
        mitigation_id: string;
        occurrence_id: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["CompleteRiskOccurrenceBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RiskMitigation"];
        };
      };
    };
  };
  listCardRisks: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of reference, title, status, category, level, target_date, created_at, updated_at; `id` breaks ties. */
        sort_by?: "reference" | "title" | "status" | "category" | "level" | "target_date" | "created_at" | "updated_at";
        /** @description Any of these by comma: identified, analysed, mitigation_planned, in_progress, mitigated, monitoring, accepted, closed. */
        status?: string;
        /** @description Any of these by comma: security, compliance, operational, technology, financial, reputational, strategic. */
        category?: string;
        /** @description Any of these by comma: critical, high, medium, low; none: those without. */
        level?: string;
        /** @description Any of these by comma: critical, high, medium, low; none: those without. */
        initial_level?: string;
        /** @description Any of these by comma: critical, high, medium, low; none: those without. */
        residual_level?: string;
        /** @description Any of these by comma: very_high, high, medium, low; none: those without. */
        initial_probability?: string;
        /** @description Any of these by comma: critical, high, medium, low; none: those without. */
        initial_impact?: string;
        /** @description Any of these by comma: very_high, high, medium, low; none: those without. */
        residual_probability?: string;
        /** @description Any of these by comma: critical, high, medium, low; none: those without. */
        residual_impact?: string;
        /** @description Ids of users by comma; `me` is the caller, `none` are risks without an owner. */
        owner?: string;
        /** @description Whether the target date has passed and the risk is not yet mitigated, accepted or closed. */
        overdue?: boolean;
        /** @description Made from, that day (UTC) included. */
        created_from?: string;
        /** @description Made up to, that day (UTC) included. */
        created_to?: string;
        /** @description Closed from, that day (UTC) included. */
        closed_from?: string;
        /** @description Closed up to, that day (UTC) included. */
        closed_to?: string;
        /** @description Of that card, or of some card. Any of these by comma: affected, contributing, control_owner. */
        card_role?: string;
        /** @description Every word must occur in reference, title, description. */
        search?: string;
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["RiskPage"];
        };
      };
    };
  };
  listAllSoawTemplates: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of name; `id` breaks ties. */
        sort_by?: "name";
        /** @description Words in the name or the description. */
        search?: string;
        is_built_in?: boolean;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SoawTemplateSummaryPage"];
        };
      };
    };
  };
  getBuiltInSoawTemplate: {
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SoawBuiltInTemplate"];
        };
      };
    };
  };
  listSoawTemplates: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of name, created_at, updated_at; `id` breaks ties. */
        sort_by?: "name" | "created_at" | "updated_at";
        /** @description Every word must occur in name, description. */
        search?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SoawTemplatePage"];
        };
      };
    };
  };
  createSoawTemplate: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SoawTemplateCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["SoawTemplate"];
        };
      };
    };
  };
  getSoawTemplate: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SoawTemplate"];
        };
      };
    };
  };
  deleteSoawTemplate: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateSoawTemplate: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SoawTemplatePatch"];
        "application/merge-patch+json": components["schemas"]["SoawTemplatePatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SoawTemplate"];
        };
      };
    };
  };
  getSoawTemplateHistory: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of at; `id` breaks ties. */
        sort_by?: "at";
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmAssessmentHistoryPage"];
        };
      };
    };
  };
  listSoaws: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of number, title, created_at, updated_at; `id` breaks ties. */
        sort_by?: "number" | "title" | "created_at" | "updated_at";
        /** @description Any of these values of template_id, by comma; none: those without. */
        template_id?: string;
        /** @description Any of these by comma: draft, in_review, signed, superseded. */
        status?: string;
        /** @description All revisions of a document. */
        number?: string;
        /** @description Documents in review that the user has yet to sign. */
        awaiting?: string;
        /** @description A linked card. */
        card_id?: string;
        /** @description Of that card, or of some card. Any of these by comma: initiative, in_scope, affected. */
        card_role?: string;
        /** @description Every word must occur in title, words. */
        search?: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardSoawPage"];
        };
      };
    };
  };
  createSoaw: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SoawCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Soaw"];
        };
      };
    };
  };
  getSoaw: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Soaw"];
        };
      };
    };
  };
  deleteSoaw: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateSoaw: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SoawPatch"];
        "application/merge-patch+json": components["schemas"]["SoawPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Soaw"];
        };
      };
    };
  };
  getSoawHistory: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of at; `id` breaks ties. */
        sort_by?: "at";
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmAssessmentHistoryPage"];
        };
      };
    };
  };
  setSoawSection: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        id: components["parameters"]["Id"];
        key: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SoawSectionBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Soaw"];
        };
      };
    };
  };
  getSoawTables: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SoawTables"];
        };
      };
    };
  };
  getSoawDiff: {
    parameters: {
      query: {
        /** @description The document that is compared, usually an earlier revision. */
        with: string;
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SoawDiff"];
        };
      };
    };
  };
  getSoawDocx: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description The document. */
      200: {
        content: {
          "application/vnd.openxmlformats-officedocument.wordprocessingml.document": string;
        };
      };
    };
  };
  getSoawMarkdown: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description The document. */
      200: {
        content: {
          "text/markdown": string;
        };
      };
    };
  };
  getSoawHtml: {
    parameters: {
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description The document. */
      200: {
        content: {
          "text/html": string;
        };
      };
    };
  };
  requestSoawSignatures: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RequestAdrSignaturesBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Soaw"];
        };
      };
    };
  };
  signSoaw: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody?: {
      content: {
        "application/json": components["schemas"]["SignAdrBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Soaw"];
        };
      };
    };
  };
  rejectSoaw: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["RejectAdrBody"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Soaw"];
        };
      };
    };
  };
  recallSoaw: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["Soaw"];
        };
      };
    };
  };
  reviseSoaw: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["Soaw"];
        };
      };
    };
  };
  listSoawRevisions: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of revision; `id` breaks ties. */
        sort_by?: "revision";
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["AdrRevisionPage"];
        };
      };
    };
  };
  listSoawComments: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of created_at, updated_at; `id` breaks ties. */
        sort_by?: "created_at" | "updated_at";
        /** @description Any of these values of section, by comma. */
        section?: string;
        /** @description The value of resolved. */
        resolved?: boolean;
      };
      path: {
        document_id: string;
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SoawCommentPage"];
        };
      };
    };
  };
  createSoawComment: {
    parameters: {
      header?: {
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        document_id: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SoawCommentCreate"];
      };
    };
    responses: {
      /** @description Created. */
      201: {
        content: {
          "application/json": components["schemas"]["SoawComment"];
        };
      };
    };
  };
  getSoawComment: {
    parameters: {
      path: {
        document_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SoawComment"];
        };
      };
    };
  };
  deleteSoawComment: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
      };
      path: {
        document_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      204: {
        content?: never;
      };
    };
  };
  updateSoawComment: {
    parameters: {
      header?: {
        /** @description The ETag of the version to change, or several separated by commas, one of which must match; 412 if the resource has been changed. */
        "If-Match"?: components["parameters"]["IfMatch"];
        /** @description Chosen by the client, the same for every retry: within 24 hours the change is made once, and its response is repeated. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path: {
        document_id: string;
        id: components["parameters"]["Id"];
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["SoawCommentPatch"];
        "application/merge-patch+json": components["schemas"]["SoawCommentPatch"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["SoawComment"];
        };
      };
    };
  };
  getSoawCommentHistory: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of at; `id` breaks ties. */
        sort_by?: "at";
      };
      path: {
        document_id: string;
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["BpmAssessmentHistoryPage"];
        };
      };
    };
  };
  listCardSoaws: {
    parameters: {
      query?: {
        /** @description Page number, from 1. */
        page?: components["parameters"]["Page"];
        /** @description Items per page. */
        page_size?: components["parameters"]["PageSize"];
        /** @description `next_cursor` of the answer before; reads on by keyset and takes the place of `page`. */
        cursor?: components["parameters"]["Cursor"];
        /** @description Direction of `sort_by`. */
        sort_dir?: components["parameters"]["SortDir"];
        /** @description `none` omits the count: `total` is null, and `next_cursor` shows whether there is a next page. */
        total?: components["parameters"]["Total"];
        /** @description One of number, title, created_at, updated_at; `id` breaks ties. */
        sort_by?: "number" | "title" | "created_at" | "updated_at";
        /** @description Any of these values of template_id, by comma; none: those without. */
        template_id?: string;
        /** @description Any of these by comma: draft, in_review, signed, superseded. */
        status?: string;
        /** @description All revisions of a document. */
        number?: string;
        /** @description Documents in review that the user has yet to sign. */
        awaiting?: string;
        /** @description Of that card, or of some card. Any of these by comma: initiative, in_scope, affected. */
        card_role?: string;
        /** @description Every word must occur in title, words. */
        search?: string;
      };
      path: {
        id: components["parameters"]["Id"];
      };
    };
    responses: {
      /** @description Done. */
      200: {
        content: {
          "application/json": components["schemas"]["CardSoawPage"];
        };
      };
    };
  };
}
