# `nix run <address of this repository> -- lint openapi.yaml`, and a package for other flakes.
{
  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      manifest = (builtins.fromTOML (builtins.readFile ./Cargo.toml)).workspace.package;
      each = nixpkgs.lib.genAttrs systems;
    in
    {
      packages = each (system: {
        default = nixpkgs.legacyPackages.${system}.rustPlatform.buildRustPackage {
          pname = "specwright";
          inherit (manifest) version;
          src = self;
          cargoLock.lockFile = ./Cargo.lock;
          cargoBuildFlags = [ "--package" "specwright" ];
          # They need databases, and fetch crates.
          doCheck = false;
          meta.mainProgram = "specwright";
        };
      });
    };
}
