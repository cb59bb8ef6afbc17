//! Agents, their notes, and their installed and missing patches.

use generated_server::models::{AgentNote, MissingPatch};

use super::{member::*, *};

/// Machines with an agent.
pub static AGENTS: Resource = Resource {
    below: &[
        Below { name: "InstalledPatches", resource: &INSTALLED_PATCHES },
        Below { name: "MissingPatches", resource: &MISSING_PATCHES },
    ],
    ..Resource::new(
        "Agents",
        "agent",
        "Agent",
        "agents",
        "agents",
        stored!(&[
            digits("id").key().mandatory().named("AgentId"),
            text("name").named("Name"),
            reference("account_id", &ACCOUNTS).named("AccountId"),
            zone("time_zone").named("TimeZone"),
            flag("is_online", true).named("IsOnline"),
            texts("products").named("Products"),
        ]),
    )
};

/// Notes about agents.
pub static AGENT_NOTES: Resource =
    Resource::new("AgentNotes", "agent note", "AgentNote", "agents", "agent_notes", stored!(AGENT_NOTE.members));

pub static AGENT_NOTE: List<AgentNote> = members!(AGENT_NOTES, struct AgentNote {
    "ID"                   id                     = id();
    "AgentGUID"            agent_guid             = reference("agent_id", &AGENTS).mandatory();
    "UserName"             user_name              = text("user_name").folded().mandatory();
    "Email"                email                  = text("email").folded();
    "CreationDate"         creation_date          = written_on("created_on");
    "Description"          description            = text("description").at_most(4000).folded().mandatory();
});

/// The patch catalogue.
pub static PATCHES: Resource =
    Resource::new("Patches", "patch", "Patch", "agents", "patches", stored!(MISSING_PATCH.members));

/// A missing patch of an agent, with members of the patch and of the assignment.
pub static MISSING_PATCH: List<MissingPatch> = members!(PATCHES from "missing_patch_infos", struct MissingPatch {
    "PatchDataId"          patch_data_id          = big("id", 1).key().mandatory();
    "Description"          description            = text("description").at_most(4000).folded().mandatory();
    "KBArticle"            kb_article             = text("kb_article").folded().or_text("");
    "SecurityBulletinLink" security_bulletin_link = text("security_bulletin_link").at_most(2048).folded().or_text("");
    "Product"              product                = text("product").folded().or_text("");
    "UpdateClassification" update_classification  = big("update_classification", 0).or(210);
    "ReleaseDate"          release_date           = moment("release_date").mandatory();
    "Status"               status                 = choice("status", APPROVAL).or(0);
    "UpdateCategory"       update_category        = big("update_category", 0).or(1);
    "LocationPending"      location_pending       = bit("location_pending");
    "LocationId"           location_id            = big("location_id", 0).or(0);
    "PatchState"           patch_state            = big("patch_state", 0).or(0).in_table("missing_patches");
    "Ignore"               ignore                 = bit("ignored").in_table("missing_patches");
    "WuaOverrideFlag"      wua_override_flag      = bit("wua_override_flag").in_table("missing_patches");
    "IsSuperseded"         is_superseded          = flag("is_superseded", false);
    "manualUpdateFlag"     manual_update_flag     = big("manual_update_flag", 0).or(0);
    "schedTogether"        sched_together         = big("sched_together", 0).or(0).in_table("missing_patches");
    "Attributes"           attributes             = object("attributes");
});

/// The installed patches of agents.
pub static INSTALLED_PATCHES: Resource =
    Resource::nested("InstalledPatches", "installed patch", "installed_patches", 1, stored!(&OF_AGENT));

/// The missing patches found by scans.
pub static MISSING_PATCHES: Resource = Resource::nested(
    "MissingPatches",
    "missing patch",
    "missing_patches",
    1,
    stored!(&OF_AGENT, MISSING_PATCH.members, "missing_patches"),
);

static OF_AGENT: [Member; 2] = [
    reference("agent_id", &AGENTS).key().mandatory().named("AgentId"),
    reference("patch_id", &PATCHES).key().mandatory().named("PatchDataId"),
];

const APPROVAL: &[(&str, i64)] = &[("Approved", 0), ("Denied", 1), ("Pending", 2)];
