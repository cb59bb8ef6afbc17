//! A service that returns what it receives.

use std::sync::{Arc, Mutex, PoisonError};

use compiled_server::models::{
    Animal, Beast, Constants, Fleet, Leg, Long, Manager, Moment, NameHerdsResponse, NameHerdsResponseNamesItem,
    Options, Payment, Pet, Preferences, Profile, ShapeModel, Track, Tree, Value, Values,
};
use compiled_server::runtime::json::{FurtherItems, OptionalItem};
use compiled_server::runtime::server::{Call, Failure};
use compiled_server::{
    all_of, defaults, formats, inheritance, long_objects, nullable_optional, one_of_constant, one_of_constant_kinds,
    one_of_default, one_of_discriminator, one_of_json_type, one_of_ordered, one_of_required_member, one_of_rules,
    one_of_simple, parameter_styles, recursion, tuples,
};

pub(crate) use crate::serve::{client_of, serve};

/// Returns what it receives; if a response has no body, the request is recorded here.
#[derive(Clone, Default)]
pub(crate) struct Echo {
    received: Arc<Mutex<String>>,
}

impl Echo {
    /// The last request, in `Debug` format.
    pub(crate) fn received(&self) -> String {
        self.received.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn keep(&self, request: &impl std::fmt::Debug) {
        *self.received.lock().unwrap_or_else(PoisonError::into_inner) = format!("{request:?}");
    }
}

/// Operations that return their body.
macro_rules! answers_its_body {
    ($($tag:ident :: $trait:ident $(. $operation:ident ( $request:ident ) -> $model:ty),+;)*) => {$(
        impl $tag::$trait for Echo {$(
            async fn $operation(&self, _: Call<()>, request: $tag::$request) -> Result<$model, Failure<$tag::$request>> {
                Ok(request.body)
            }
        )+}
    )*};
}

answers_its_body! {
    formats::Formats.echo_values(EchoValues) -> Values;
    inheritance::Inheritance.send_fleet(SendFleet) -> Fleet;
    long_objects::LongObjects.send_long(SendLong) -> Long;
    nullable_optional::NullableOptional.change_profile(ChangeProfile) -> Profile;
    one_of_constant::OneOfConstant.send_shape(SendShape) -> ShapeModel;
    one_of_constant_kinds::OneOfConstantKinds.send_constants(SendConstants) -> Constants;
    one_of_discriminator::OneOfDiscriminator.send_pet(SendPet) -> Pet;
    one_of_json_type::OneOfJsonType.send_value(SendValue) -> Value;
    one_of_ordered::OneOfOrdered.send_moment(SendMoment) -> Moment;
    one_of_required_member::OneOfRequiredMember.send_payment(SendPayment) -> Payment;
    one_of_simple::OneOfSimple.send_options(SendOptions) -> Options;
    recursion::Recursion.send_tree(SendTree) -> Tree, .send_tree_form(SendTreeForm) -> Tree;
}

impl tuples::Tuples for Echo {
    async fn send_track(&self, _: Call<()>, request: tuples::SendTrack) -> Result<Track, Failure<tuples::SendTrack>> {
        Ok(request.body)
    }

    async fn find_legs(&self, _: Call<()>, request: tuples::FindLegs) -> Result<Leg, Failure<tuples::FindLegs>> {
        Ok((format!("{:?}", request.from), OptionalItem::default(), OptionalItem::default(), FurtherItems::default()))
    }
}

impl one_of_default::OneOfDefault for Echo {
    async fn send_animal(
        &self,
        _: Call<()>,
        request: one_of_default::SendAnimal,
    ) -> Result<Animal, Failure<one_of_default::SendAnimal>> {
        Ok(request.body)
    }

    async fn find_animals(
        &self,
        _: Call<()>,
        request: one_of_default::FindAnimals,
    ) -> Result<Vec<Animal>, Failure<one_of_default::FindAnimals>> {
        let found = Animal::Beast(Beast { kind: Some(request.body.kind), legs: request.limit });
        Ok(vec![found])
    }

    async fn count_herds(
        &self,
        _: Call<()>,
        _: one_of_default::CountHerds,
    ) -> Result<String, Failure<one_of_default::CountHerds>> {
        Ok("2".to_owned())
    }

    async fn name_herds(
        &self,
        _: Call<()>,
        _: one_of_default::NameHerds,
    ) -> Result<NameHerdsResponse, Failure<one_of_default::NameHerds>> {
        let names = Some(vec![NameHerdsResponseNamesItem::Left]);
        let seen = compiled_server::runtime::json::Value::Bool(true);
        Ok(NameHerdsResponse { mood: seen.clone(), names, seen })
    }

    async fn find_herd(
        &self,
        _: Call<()>,
        request: one_of_default::FindHerd,
    ) -> Result<String, Failure<one_of_default::FindHerd>> {
        Ok(request.herd)
    }

    async fn find_herd_by_number(
        &self,
        _: Call<()>,
        request: one_of_default::FindHerdByNumber,
    ) -> Result<String, Failure<one_of_default::FindHerdByNumber>> {
        Ok(format!("number {}", request.number))
    }

    async fn find_herd_by_name(
        &self,
        _: Call<()>,
        request: one_of_default::FindHerdByName,
    ) -> Result<String, Failure<one_of_default::FindHerdByName>> {
        Ok(format!("name {}", request.name))
    }

    async fn find_herd_of_year(
        &self,
        _: Call<()>,
        request: one_of_default::FindHerdOfYear,
    ) -> Result<String, Failure<one_of_default::FindHerdOfYear>> {
        Ok(format!("{} in {}", request.herd, request.year))
    }

    async fn do_job(
        &self,
        _: Call<()>,
        request: one_of_default::DoJob,
    ) -> Result<String, Failure<one_of_default::DoJob>> {
        Ok(request.body.job)
    }

    async fn move_herd(
        &self,
        _: Call<()>,
        request: one_of_default::MoveHerd,
    ) -> Result<String, Failure<one_of_default::MoveHerd>> {
        Ok(format!("to {}", request.body.to))
    }

    async fn list_flocks(
        &self,
        _: Call<()>,
        request: one_of_default::ListFlocks,
    ) -> Result<String, Failure<one_of_default::ListFlocks>> {
        Ok(format!("all near {:?}, {:?} of them", request.near, request.limit))
    }

    async fn find_flock(
        &self,
        _: Call<()>,
        request: one_of_default::FindFlock,
    ) -> Result<String, Failure<one_of_default::FindFlock>> {
        Ok(format!("the one near {}", request.near))
    }

    async fn copy_animals(
        &self,
        _: Call<()>,
        request: one_of_default::CopyAnimals,
    ) -> Result<String, Failure<one_of_default::CopyAnimals>> {
        Ok(request.destination)
    }
}

impl one_of_rules::OneOfRules for Echo {
    async fn send_block(
        &self,
        _: Call<()>,
        request: one_of_rules::SendBlock,
    ) -> Result<one_of_rules::SendBlockResponse, Failure<one_of_rules::SendBlock>> {
        Ok(one_of_rules::SendBlockResponse { x_net: request.body.net.clone(), body: request.body })
    }
}

impl all_of::AllOf for Echo {
    async fn add_employee(
        &self,
        _: Call<()>,
        request: all_of::AddEmployee,
    ) -> Result<Manager, Failure<all_of::AddEmployee>> {
        request.body.manager.ok_or_else(|| Failure::bad_request("there is no manager").into())
    }
}

impl defaults::Defaults for Echo {
    async fn search(&self, _: Call<()>, request: defaults::Search) -> Result<Preferences, Failure<defaults::Search>> {
        self.keep(&request);
        Ok(Preferences::default())
    }
}

/// Operations without a response body.
macro_rules! keeps_its_request {
    ($($operation:ident ( $request:ident );)*) => {
        impl parameter_styles::ParameterStyles for Echo {$(
            async fn $operation(&self, _: Call<()>, request: parameter_styles::$request) -> Result<(), Failure<parameter_styles::$request>> {
                self.keep(&request);
                Ok(())
            }
        )*}
    };
}

keeps_its_request! {
    simple_path(SimplePath);
    label_path(LabelPath);
    matrix_path(MatrixPath);
    several_in_one_segment(SeveralInOneSegment);
    literals_between(LiteralsBetween);
    bare_segment(BareSegment);
    literal_behind(LiteralBehind);
    query(Query);
    number_or_text(NumberOrText);
    nested_query(NestedQuery);
    exploded_query(ExplodedQuery);
    rest_of_query(RestOfQuery);
    members_and_rest(MembersAndRest);
    deep_query(DeepQuery);
    whole_query(WholeQuery);
    query_text(QueryText);
    headers(Headers);
    cookies(Cookies);
}
