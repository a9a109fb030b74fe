import type { Catalogue } from '../catalogue.js';

export const fr: Catalogue = {
  greeting: 'Bonjour {name},',
  greeting_unnamed: 'Bonjour,',
  link_hint: 'Si le bouton ne fonctionne pas, ouvrez cette adresse :',
  footer: '{workspace} envoie ce message automatiquement. Les réponses ne sont pas lues.',

  invitation_subject: '{inviter} vous invite à rejoindre {workspace}',
  invitation_body:
    '{inviter} vous invite à rejoindre {workspace}. Choisissez un mot de passe pour ouvrir votre compte avec l’adresse {email}.',
  invitation_action: 'Accepter l’invitation',
  invitation_expiry: 'Le lien fonctionne une seule fois, jusqu’au {until}.',
  invitation_ignore: 'Si vous n’attendez pas d’invitation, ignorez ce message.',

  reset_subject: 'Choisir un nouveau mot de passe pour {workspace}',
  reset_body: 'Un nouveau mot de passe a été demandé pour le compte {email} dans {workspace}.',
  reset_action: 'Choisir un nouveau mot de passe',
  reset_expiry:
    'Le lien fonctionne une seule fois, jusqu’au {until}. Le nouveau mot de passe met fin à toutes les sessions du compte.',
  reset_ignore:
    'Si vous n’êtes pas à l’origine de cette demande, ignorez ce message : votre mot de passe reste inchangé.',

  change_old_subject: 'Confirmer le changement de votre adresse e-mail dans {workspace}',
  change_old_body:
    'L’adresse e-mail de votre compte dans {workspace} doit passer de {old} à {new}. Le changement prend effet lorsque les deux adresses l’ont confirmé.',
  change_old_warning:
    'Si vous n’êtes pas à l’origine de cette demande, annulez le changement et choisissez un nouveau mot de passe.',

  change_new_subject: 'Confirmer votre adresse e-mail pour {workspace}',
  change_new_body:
    'Un compte dans {workspace} doit utiliser cette adresse e-mail. Le changement prend effet lorsque l’adresse précédente et celle-ci l’ont confirmé.',
  change_new_warning: 'Si vous n’êtes pas à l’origine de cette demande, annulez le changement ou ignorez ce message.',

  change_action: 'Confirmer le changement',
  change_withdraw: 'Annuler le changement',
  change_expiry: 'Les liens fonctionnent une seule fois, jusqu’au {until}.',

  sign_in_subject: 'Nouvelle connexion à {workspace}',
  sign_in_body:
    'Une connexion au compte {email} dans {workspace} a eu lieu depuis un appareil ou un lieu qui n’a pas été utilisé au cours des {days} derniers jours.',
  sign_in_time: 'Heure : {time}',
  sign_in_device: 'Navigateur ou programme : {device}',
  sign_in_address: 'Adresse : {address}',
  sign_in_ignore: 'Si c’était vous, il n’y a rien à faire.',
  sign_in_warning:
    'Si ce n’était pas vous, choisissez un nouveau mot de passe : cela met fin à toutes les autres sessions.',
};
