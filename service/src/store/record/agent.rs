//! Agents and patches.

use super::{ACCOUNTS, Below, Kind, Member, PLAIN, Presence, Resource};

const FLAG: Kind = Kind::Integer(0, 1);

/// The patch catalogue.
pub static PATCHES: Resource = Resource {
    name: "Patches",
    one: "patch",
    table: "patches",
    members: &[
        Member::required("PatchDataId", "id", Kind::Integer(1, i64::MAX)).key(),
        Member::required("Description", "description", Kind::Text),
        Member::new("KBArticle", "kb_article", Kind::Text, Presence::OtherwiseText("")),
        Member::new("SecurityBulletinLink", "security_bulletin_link", Kind::Text, Presence::OtherwiseText("")),
        Member::new("Product", "product", Kind::Text, Presence::OtherwiseText("")),
        Member::number("UpdateClassification", "update_classification", 210),
        Member::required("ReleaseDate", "release_date", Kind::Moment),
        Member::new(
            "Status",
            "status",
            Kind::Choice(&[("Approved", 0), ("Denied", 1), ("Pending", 2)]),
            Presence::Otherwise(0),
        ),
        Member::number("UpdateCategory", "update_category", 1),
        Member::new("LocationPending", "location_pending", FLAG, Presence::Otherwise(0)),
        Member::number("LocationId", "location_id", 0),
        Member::flag("IsSuperseded", "is_superseded", false),
        Member::number("manualUpdateFlag", "manual_update_flag", 0),
        Member::optional("Attributes", "attributes", Kind::Object),
    ],
    ..PLAIN
};

/// Machines with an agent on them.
pub static AGENTS: Resource = Resource {
    name: "Agents",
    one: "agent",
    table: "agents",
    members: &[
        Member::required("AgentId", "id", Kind::Digits).key(),
        Member::text("Name", "name"),
        Member::optional("AccountId", "account_id", Kind::Reference(&ACCOUNTS)),
        Member::optional("TimeZone", "time_zone", Kind::Zone),
        Member::flag("IsOnline", "is_online", true),
        Member::new("Products", "products", Kind::Texts, Presence::OtherwiseText("[]")),
    ],
    below: &[
        Below { name: "InstalledPatches", resource: &INSTALLED_PATCHES },
        Below { name: "MissingPatches", resource: &MISSING_PATCHES },
    ],
    ..PLAIN
};

/// Which patches agents have.
pub static INSTALLED_PATCHES: Resource = Resource {
    name: "InstalledPatches",
    one: "installed patch",
    table: "installed_patches",
    above: 1,
    members: &[
        Member::required("AgentId", "agent_id", Kind::Reference(&AGENTS)).key(),
        Member::required("PatchDataId", "patch_id", Kind::Reference(&PATCHES)).key(),
    ],
    ..PLAIN
};

/// What scans have found.
pub static MISSING_PATCHES: Resource = Resource {
    name: "MissingPatches",
    one: "missing patch",
    table: "missing_patches",
    above: 1,
    members: &[
        Member::required("AgentId", "agent_id", Kind::Reference(&AGENTS)).key(),
        Member::required("PatchDataId", "patch_id", Kind::Reference(&PATCHES)).key(),
        Member::number("PatchState", "patch_state", 0),
        Member::new("Ignore", "ignored", FLAG, Presence::Otherwise(0)),
        Member::new("WuaOverrideFlag", "wua_override_flag", FLAG, Presence::Otherwise(0)),
        Member::number("schedTogether", "sched_together", 0),
    ],
    ..PLAIN
};

/// Notes about agents.
pub static AGENT_NOTES: Resource = Resource {
    name: "AgentNotes",
    one: "agent note",
    table: "agent_notes",
    members: &[
        Member::optional("ID", "id", Kind::Id),
        Member::required("AgentGUID", "agent_id", Kind::Reference(&AGENTS)),
        Member::required("UserName", "user_name", Kind::Text).folded(),
        Member::text("Email", "email").folded(),
        Member::moment("CreationDate", "created_on"),
        Member::required("Description", "description", Kind::Text),
    ],
    ..PLAIN
};
